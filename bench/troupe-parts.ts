import { setTimeout as delay } from 'node:timers/promises';
import { buildTool, getEmptyToolPermissionContext } from 'troupe';
import { z } from 'zod';
import { SYSTEM } from './scenario.js';

/** The trivial tool: gives back what it was given. */
export const createEcho = (onEcho: () => void) =>
  buildTool({
    name: 'Echo',
    inputSchema: z.object({ text: z.string() }),
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    call({ text }) {
      onEcho();
      return Promise.resolve({ data: text });
    },
  });

/** Takes as long as it is told. */
export const Wait = buildTool({
  name: 'Wait',
  inputSchema: z.object({ ms: z.number() }),
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  async call({ ms }, { abortController: { signal } }) {
    await delay(ms, undefined, { signal });
    return { data: 'waited' };
  },
});

/** An agent with these two tools and no other. */
export const MEASURED_AGENT = {
  name: 'measured',
  description: 'Is measured.',
  prompt: SYSTEM,
  tools: ['Echo', 'Wait'],
};

/** Allows both by a rule: every use is judged and audited as in earnest. */
export const PERMISSIONS = {
  ...getEmptyToolPermissionContext(),
  alwaysAllowRules: { session: ['Echo', 'Wait'] },
};
