import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Bundles the control room's page with its packages: one script, one style, one document. */
export async function bundlePage({ source, folder }) {
  const bundler = await rolldown({
    input: { app: join(source, 'main.tsx') },
    platform: 'browser',
    resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [REFUSE_NODE],
    logLevel: 'warn',
  });
  await bundler.write({ dir: folder, format: 'esm', minify: true, entryFileNames: '[name].js' });
  await bundler.close();
  mkdirSync(folder, { recursive: true });
  for (const name of ['index.html', 'style.css'])
    copyFileSync(join(source, name), join(folder, name));
}

/** A browser has no modules of Node: the page would not load. */
const REFUSE_NODE = {
  name: 'refuse-node',
  resolveId(id, importer) {
    if (id.startsWith('node:'))
      throw new Error(`The page cannot import ${id}, as ${importer} does.`);
  },
};
