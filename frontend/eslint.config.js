/** Lint rules, with the import zones computed from the folders that exist. */
import { readdirSync } from "node:fs";
import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const root = import.meta.dirname;

const features = readdirSync(`${root}/src/features`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** Refuses imports by a relative path that leads into one of the folders. */
function zone(folder, banned, message) {
  return {
    files: [`src/${folder}/**/*.{ts,tsx}`],
    rules: {
      "no-restricted-imports": [
        "error",
        { patterns: [{ regex: `^(\\.\\./)+(${banned.join("|")})(/|$)`, message }] },
      ],
    },
  };
}

/** app may import everything, a feature only what is shared, and what is shared never upwards. */
const zones = [
  ...features.map((feature) =>
    zone(
      `features/${feature}`,
      ["app", "features", ...features.filter((other) => other !== feature)],
      "Features import neither the app nor each other: move what both need to domain, components, api or lib.",
    ),
  ),
  zone("domain", ["app", "features"], "What features share imports neither them nor the app."),
  zone("components", ["app", "features", "domain"], "Components know no studies, features or app."),
  zone("api", ["app", "features", "domain", "components"], "api knows no pages."),
  zone("lib", ["app", "features", "domain", "components", "api"], "lib stands at the bottom."),
];

export default tseslint.config(
  { ignores: ["dist", "node_modules", "src/api/schema.d.ts"] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    files: ["src/**/*.{ts,tsx}"],
    plugins: { "react-hooks": reactHooks },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "no-restricted-syntax": [
        "error",
        { selector: "ExportDefaultDeclaration", message: "Export by name, so that a thing has one name." },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "no-console": "error",
    },
  },
  ...zones,
  {
    files: ["public/**/*.js"],
    languageOptions: { globals: { document: "readonly", localStorage: "readonly" } },
  },
  {
    files: ["scripts/**/*.js"],
    languageOptions: { globals: { console: "readonly", process: "readonly", URL: "readonly" } },
  },
);
