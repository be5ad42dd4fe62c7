import { expect, it } from 'vitest';
import { attentionCodes } from '../../../../src/cli/terminal/screen/attention.js';

const IDLE = { requests: 0, workingSince: undefined };
const WORKS = { requests: 0, workingSince: 1_000 };
const ASKS = { requests: 1, workingSince: 1_000 };

it('sets the title, and calls for a decision and at the end of a long turn', () => {
  const at = (now: number) => ({ folder: 'app', now });
  const title = (text: string): string => `\u001b]2;${text}\u0007`;
  const call = (why: string): string =>
    `\u0007\u001b]9;Troupe in app: ${why}\u0007\u001b]777;notify;Troupe in app;${why}\u0007`;
  expect(attentionCodes(undefined, IDLE, at(0))).toBe(title('app · Troupe'));
  expect(attentionCodes(IDLE, WORKS, at(1_000))).toBe(title('* app · Troupe works'));
  expect(attentionCodes(WORKS, WORKS, at(2_000))).toBe('');
  expect(attentionCodes(WORKS, ASKS, at(2_000))).toBe(
    title('! app · a decision is needed') + call('a decision is needed'),
  );
  expect(attentionCodes(WORKS, IDLE, at(30_999))).toBe(title('app · Troupe'));
  expect(attentionCodes(WORKS, IDLE, at(31_000))).toBe(
    title('app · Troupe') + call('the agent has finished'),
  );
});

it('lets no name of a folder end a code, or add a field to it', () => {
  const codes = attentionCodes(WORKS, ASKS, { folder: 'a\u0007;b\u001b', now: 0 });
  expect(codes).toContain('notify;Troupe in a\\u0007,b\\u001b;a decision is needed\u0007');
});
