import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Sitting } from './sit.js';

const MODE = process.env['TROUPE_SCREENS'];
/** The recorded screens are compared only if `TROUPE_SCREENS` is set; `TROUPE_SCREENS=write` writes them anew. */
export const IS_ON = MODE !== undefined;

/** Times and the spinner change from run to run. */
function steady(text: string): string {
  return text
    .replace(/^(\s*)[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /gm, '$1* ')
    .replace(/(?:\d+ min )?\d+ s\b/g, '0 s')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, 'ID')
    .replaceAll('─', '-');
}

/** Resolve when the screen is the recorded one of this name. */
export async function expectScreen({ shows, text }: Sitting, name: string): Promise<void> {
  const file = new URL(`../screens/${name.replaceAll(' ', '-')}.txt`, import.meta.url);
  if (MODE === 'write') {
    let newest = '';
    while (newest !== steady(text())) {
      newest = steady(text());
      await delay(2_000);
    }
    writeFileSync(file, `${newest}\n`);
  }
  await shows(readFileSync(file, 'utf8').trimEnd().split('\n'), steady);
}
