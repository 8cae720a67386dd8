"""What leaves that needs both people’s and programs’ facts: methods paragraph, report."""
