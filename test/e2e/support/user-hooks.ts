import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { createPlace, type Place } from './place.js';

export type Hook = Readonly<Record<string, unknown>>;

/** A command hook. */
export function hook(command: string, more: Hook = {}): Hook {
  return { type: 'command', command, ...more };
}

/** A command that prints this as JSON. */
export function saying(output: object): string {
  return `echo '${JSON.stringify(output)}'`;
}

/** A place whose user has these hooks: a list of hooks without a matcher, or of groups, for each event. */
export async function placeWith(
  onTestFinished: TestContext['onTestFinished'],
  hooks: Readonly<Record<string, readonly Hook[]>>,
  settings: object = {},
): Promise<Place> {
  const place = await createPlace(onTestFinished);
  await mkdir(join(place.home, '.claude'));
  const groups = Object.entries(hooks).map(([event, list]) => [
    event,
    list.some((one) => 'hooks' in one) ? list : [{ hooks: list }],
  ]);
  await writeFile(
    join(place.home, '.claude/settings.json'),
    JSON.stringify({ ...settings, hooks: Object.fromEntries(groups) }),
  );
  return place;
}
