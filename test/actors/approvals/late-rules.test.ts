import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PermissionUpdate } from '../../../src/core/permission-types.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { linesOf } from '../../support/journals.js';
import { playParts } from '../../support/scripts.js';
import { ALLOW_ALL, createTroupe } from '../../support/troupe.js';

/** One use for each moment, counted in turns of the microtask queue from the tool's check to the change of the rules. */
const MOMENTS = 30;
const RULE = { rules: [{ toolName: 'Change' }], behavior: 'deny', destination: 'session' } as const;

/**
 * A session in which the rules change at another moment of each use: from its check until it has long begun.
 * Each reply takes the change back.
 */
async function play(
  change: PermissionUpdate,
  takeBack: PermissionUpdate,
  { hasMatcher = false } = {},
) {
  const ran: number[] = [];
  const ranAgainstRules: number[] = [];
  const denied: number[] = [];
  let isForbidden = false;
  let changed: Promise<void> | undefined;
  const update = (to: PermissionUpdate, forbids: boolean): void => {
    session.updatePermissions([to]);
    isForbidden = forbids;
  };
  const changeAfter = async (turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    update(change, true);
  };
  const tool = buildTool({
    name: 'Change',
    inputSchema: z.object({ moment: z.number() }),
    isConcurrencySafe: () => true,
    permissionTarget: () => ({ kind: 'name', name: 'it' }),
    checkPermissions: (input) => {
      changed ??= changeAfter(input.moment);
      return Promise.resolve({ behavior: 'passthrough', message: '' });
    },
    ...(hasMatcher ? { preparePermissionMatcher: () => Promise.resolve(() => true) } : {}),
    call: ({ moment }) => {
      ran.push(moment);
      if (isForbidden) ranAgainstRules.push(moment);
      return Promise.resolve({ data: 'changed' });
    },
  });
  const uses = Array.from({ length: MOMENTS }, (_, moment) => async () => {
    await changed;
    changed = undefined;
    update(takeBack, false);
    return { tools: [{ name: 'Change', input: { moment } }] };
  });
  const { troupe } = await createTroupe(playParts({ main: [...uses, { text: 'Done.' }] }), {
    tools: [tool],
    permissions: ALLOW_ALL,
  });
  const session = troupe.session({ staysOpen: true });
  session.events.on('permission.denied', (_origin, { input }) =>
    denied.push(Number(input['moment'])),
  );
  const idle = new Promise<void>((resolve) => {
    session.events.once('agent.idle', () => resolve());
  });
  await session.prompt('Go.');
  await idle;
  session.end();
  await session.outcome;
  const judged = await linesOf(session, 'audit.jsonl', 'permission.judged');
  const verdicts = new Map<unknown, unknown[]>();
  for (const { input, behavior } of judged) {
    const { moment } = input as { moment: number }; // the tool's own
    verdicts.set(moment, [...(verdicts.get(moment) ?? []), behavior]);
  }
  const lapsed = [...verdicts].filter(([, all]) => all.length > 1);
  return { ran, ranAgainstRules, denied, lapsed };
}

describe('rules that change after a use was allowed and before it runs', () => {
  it.each<[string, boolean, PermissionUpdate, PermissionUpdate]>([
    ['a rule', false, { type: 'addRules', ...RULE }, { type: 'removeRules', ...RULE }],
    [
      'a rule, with a matcher',
      true,
      { type: 'addRules', ...RULE },
      { type: 'removeRules', ...RULE },
    ],
    [
      'a mode',
      false,
      { type: 'setMode', mode: 'plan', destination: 'session' },
      { type: 'setMode', mode: 'bypassPermissions', destination: 'session' },
    ],
  ])('hold, and the audit says so: %s', async (_, hasMatcher, change, takeBack) => {
    const { ran, ranAgainstRules, denied, lapsed } = await play(change, takeBack, { hasMatcher });
    expect(ranAgainstRules).toEqual([]);
    expect([...ran, ...denied].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: MOMENTS }, (_each, moment) => moment),
    );
    expect(ran).toContain(MOMENTS - 1); // its change came when it had begun
    expect(lapsed.length).toBeGreaterThan(0);
    expect(lapsed).toEqual(lapsed.map(([moment]) => [moment, ['allow', 'deny']]));
    expect(denied).toEqual(expect.arrayContaining(lapsed.map(([moment]) => moment)));
  });
});
