import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import { defineConfig } from 'vitest/config';

const PAGES = ['index', 'terminal', 'console', 'pit', 'display', 'cage', 'lab'];

// The development page is driven by fixtures; it is served and built on request, and never shipped.
const page = (name: string) => `${import.meta.dirname}/${name}.html`;

export default defineConfig(({ mode }) => ({
  base: './',
  plugins: [svelte(), svelteTesting()],
  build: {
    outDir: mode === 'demo' ? 'dist-demo' : '../src/croupier/server/static',
    emptyOutDir: true,
    // A table has no use for maps, and a floor's screens are all current browsers.
    sourcemap: false,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: mode === 'demo' ? [page('demo')] : PAGES.map(page) },
  },
  server: { host: '127.0.0.1', strictPort: true },
  preview: { host: '127.0.0.1', strictPort: true },
  test: {
    environment: 'happy-dom',
    include: ['tests/**/*.test.ts'],
    setupFiles: ['tests/setup.ts'],
  },
}));
