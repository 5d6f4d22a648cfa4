"""Tables of several servers, and what carries messages between them."""
