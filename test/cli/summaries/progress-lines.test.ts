import { expect, it } from 'vitest';
import type { SessionMessage } from '../../../src/actors/contract/session-message.js';
import { createProgressLines } from '../../../src/cli/summaries/progress-lines.js';
import { ADVICE } from '../../../src/core/advice.js';

const linesOf = (message: object): readonly string[] =>
  createProgressLines()(message as SessionMessage); // only what is read

it('the reason of a denial ends between words, and leaves out the advice to the model', () => {
  const denied = { type: 'system', subtype: 'permission_denied', tool_name: 'Bash' };
  const why = `Permission to use Bash was denied: ${'it is protected '.repeat(5)}.`;
  expect(linesOf({ ...denied, message: `No rule allows it. ${ADVICE.wait}` })).toEqual([
    'denied: Bash: No rule allows it.',
  ]);
  expect(linesOf({ ...denied, message: why })).toEqual([
    `denied: Bash: Permission to use Bash was denied: ${'it is protected '.repeat(4)}…`,
  ]);
});
