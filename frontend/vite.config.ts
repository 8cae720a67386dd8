/** How the pages are built, served while developing, and tested. */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const backend = process.env["ASSAY_BACKEND"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  base: "/static/",
  plugins: [react()],
  // Nothing is inlined as data: the content security policy names 'self' only.
  build: {
    outDir: "dist",
    assetsInlineLimit: 0,
    manifest: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    // What many pages share is one file: dozens of small ones cost more in headers than they save.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: "shared", test: /[\\/]src[\\/]/, minShareCount: 20 }] } },
    },
  },
  server: { proxy: { "/api": backend } },
  test: {
    environment: "jsdom",
    globals: true,
    setupFiles: ["src/test/setup.ts"],
    include: ["src/**/*.test.{ts,tsx}", "scripts/*.test.js"],
    sequence: { shuffle: true },
    restoreMocks: true,
    unstubGlobals: true,
    // jsdom is loaded once instead of once a file, which is most of the work; each file has its own context.
    pool: "vmForks",
    vmMemoryLimit: "1GB",
    // A busy machine is slow, not broken; longer than what waits inside a test (src/test/setup.ts).
    testTimeout: 90_000,
    hookTimeout: 90_000,
  },
});
