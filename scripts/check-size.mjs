/**
 * Compares the JavaScript that every start compiles with a limit. A limit only falls: a change that makes a start smaller
 * lowers it, and new code that the first request does not need is imported late.
 */
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Bytes of the chunks with these names in a folder of dist/. */
const LIMITS = [
  { folder: 'chunks', names: ['library', 'shared'], limit: 1_872_500 },
  { folder: 'cli/chunks', names: ['every', 'shared', 'runtime'], limit: 1_284_500 },
];

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
let isTooLarge = false;
for (const { folder, names, limit } of LIMITS) {
  const files = readdirSync(dist + folder).filter((file) => names.includes(file.split('-')[0]));
  if (files.length !== names.length)
    throw new Error(
      `dist/${folder} has ${files.join(', ')} and should have one chunk for each of ${names.join(', ')}.`,
    );
  const size = files.reduce((sum, file) => sum + statSync(`${dist}${folder}/${file}`).size, 0);
  isTooLarge ||= size > limit;
  console.log(`dist/${folder}, ${names.join(' + ')}: ${size} bytes, at most ${limit}`);
}
if (isTooLarge) {
  console.error(
    'A start compiles too much: load what the first request does not need by `await import`.',
  );
  process.exit(1);
}
