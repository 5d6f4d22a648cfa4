"""A floor of tables for real clients: HTTP, WebSocket, sign-in, and who may see what."""
