"""Reports by table, dealer, gaming day, shift and hour."""
