/** Lint rules, with the import zones computed from the folders that exist. */
import { readdirSync } from "node:fs";
import js from "@eslint/js";
import { createTypeScriptImportResolver } from "eslint-import-resolver-typescript";
import { importX } from "eslint-plugin-import-x";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const root = import.meta.dirname;

const features = readdirSync(`${root}/src/features`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

const shared = ["components", "api", "lib"];

/** app may import everything, a feature only what is shared, and what is shared never upwards. */
const zones = [
  ...features.map((feature) => ({
    target: `./src/features/${feature}`,
    from: "./src/features",
    except: [`./${feature}`],
    message: "Features do not import each other: move what both need to components, api or lib.",
  })),
  { target: "./src/features", from: "./src/app", message: "Features do not import the app." },
  ...shared.map((folder) => ({
    target: `./src/${folder}`,
    from: ["./src/app", "./src/features"],
    message: "Shared code imports neither features nor the app.",
  })),
  { target: "./src/lib", from: ["./src/components", "./src/api"], message: "lib stands at the bottom." },
  { target: "./src/api", from: "./src/components", message: "api knows no components." },
];

export default tseslint.config(
  { ignores: ["dist", "node_modules", "src/api/schema.d.ts"] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    files: ["src/**/*.{ts,tsx}"],
    plugins: { "import-x": importX, "react-hooks": reactHooks },
    settings: {
      "import-x/resolver-next": [createTypeScriptImportResolver({ project: `${root}/tsconfig.app.json` })],
    },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "import-x/no-restricted-paths": ["error", { basePath: root, zones }],
      "import-x/no-default-export": "error",
      "import-x/no-cycle": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "no-console": "error",
    },
  },
  {
    files: ["public/**/*.js"],
    languageOptions: { globals: { document: "readonly", localStorage: "readonly" } },
  },
  { files: ["scripts/**/*.js"], languageOptions: { globals: { console: "readonly", process: "readonly" } } },
);
