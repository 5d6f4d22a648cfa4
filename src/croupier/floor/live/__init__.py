"""What a running journal adds up to, kept beside it for recalls, searches and screens."""
