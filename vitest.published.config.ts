import { defineConfig } from 'vitest/config';
import config from './vitest.config.js';

/** Programs that others publish drive the built command: `npm run test:published`. */
export default defineConfig({
  test: { ...config.test, include: ['test/published/*.published.ts'], testTimeout: 60_000 },
});
