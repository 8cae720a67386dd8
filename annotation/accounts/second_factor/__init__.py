"""The second factor: codes of an authenticator app, asked for besides the password."""
