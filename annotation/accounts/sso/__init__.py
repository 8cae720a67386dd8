"""Single sign-on by OpenID Connect: a provider says who somebody is. Why it is so: docs/decisions/0064."""
