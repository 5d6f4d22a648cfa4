"""What is asked once, over HTTP: books, tables, sign-in, vouchers, recall, reports, pages."""

from croupier.server.http.app import make_app

__all__ = ["make_app"]
