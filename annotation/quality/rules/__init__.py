"""How well raters work, as pure functions over their votes."""
