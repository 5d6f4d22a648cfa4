"""Vouchers and the cage that pays them."""
