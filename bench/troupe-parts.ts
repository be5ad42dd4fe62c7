import { setTimeout as delay } from 'node:timers/promises';
import { buildTool, getEmptyToolPermissionContext } from 'troupe';
import { z } from 'zod';
import { SYSTEM } from './scenario.js';

/** The trivial tool: gives back what it was given, made as long as its input says. */
export const createEcho = (onEcho: () => void) =>
  buildTool({
    name: 'Echo',
    inputSchema: z.object({ text: z.string(), chars: z.number().optional() }),
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    call({ text, chars = 0 }) {
      onEcho();
      return Promise.resolve({ data: text.padEnd(chars, '.') });
    },
  });

/** Takes as long as its input says. */
export const Wait = buildTool({
  name: 'Wait',
  inputSchema: z.object({ ms: z.number() }),
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  async call(
    { ms },
    {
      call: {
        abortController: { signal },
      },
    },
  ) {
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

/** The same that may start others. */
export const LEADING_AGENT = {
  ...MEASURED_AGENT,
  name: 'leading',
  tools: [...MEASURED_AGENT.tools, 'Agent'],
};

/** The same with all default tools beside them. */
export const EQUIPPED_AGENT = { name: 'equipped', description: 'Has all tools.', prompt: SYSTEM };

/** Allows both by a rule: every use is judged and audited as in earnest. */
export const PERMISSIONS = {
  ...getEmptyToolPermissionContext(),
  alwaysAllowRules: { session: ['Echo', 'Wait'] },
};
