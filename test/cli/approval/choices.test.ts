import { describe, expect, it } from 'vitest';
import {
  choicesOf,
  menuOf,
  readConfirmation,
  readReply,
  type TypedLine,
} from '../../../src/cli/approval/choices.js';
import { readTrust } from '../../../src/cli/approval/trust-question.js';
import type { PermissionUpdate } from '../../../src/core/permission-types.js';
import { ALWAYS } from '../../support/requests.js';

const LASTING: PermissionUpdate = { ...ALWAYS, destination: 'localSettings' };
const EDITS: PermissionUpdate = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
const ALL = choicesOf({ kind: 'permission', suggestions: [LASTING, EDITS] }, '/f.json');
const NONE = choicesOf({ kind: 'permission', suggestions: [] }, '/f.json');

function typed(text: string, isPasted = false): TypedLine {
  return { text, isPasted };
}

describe('the choices of a request', () => {
  it('are numbered without a gap, the refusal last', () => {
    expect(menuOf(ALL, { isFolded: true })).toEqual([
      '1 allow once',
      '2 allow in this session: Bash(make *), or all edits in the workspace (mode acceptEdits)',
      '3 allow always in this folder: Bash(make *)',
      '4 no (4 and a reason tells the agent why)',
      'v show all lines',
    ]);
    expect(menuOf(NONE, { isFolded: false })).toEqual([
      '1 allow once',
      '2 no (2 and a reason tells the agent why)',
    ]);
    const sessionOnly = choicesOf({ kind: 'permission', suggestions: [LASTING] }, undefined);
    expect(menuOf(sessionOnly, { isFolded: false })).toEqual([
      '1 allow once',
      '2 allow in this session: Bash(make *)',
      '3 no (3 and a reason tells the agent why)',
    ]);
  });

  it('offer nothing for later sessions if no file would keep it', () => {
    expect(choicesOf({ kind: 'permission', suggestions: [LASTING] }, undefined)).toEqual({
      isPlan: false,
      session: [ALWAYS],
      folder: [],
      folderFile: '',
    });
  });

  it.each(['1', 'y', 'Y', 'yes', 'YES ', 'yes please', 'Yes, please.', 'ok', 'yes, thanks'])(
    'take %j for yes, once',
    (text) => {
      expect(readReply(typed(text), ALL)).toEqual({
        type: 'answer',
        answer: { behavior: 'allow' },
      });
    },
  );

  it.each([
    ['4', undefined],
    ['n', undefined],
    ['No', undefined],
    ['4 not now', 'not now'],
    ['no, use make', 'use make'],
  ])('take %j for no', (text, message) => {
    const answer = message === undefined ? { behavior: 'deny' } : { behavior: 'deny', message };
    expect(readReply(typed(text), ALL)).toEqual({ type: 'answer', answer });
  });

  it('have what lasts confirmed', () => {
    expect(readReply(typed('2'), ALL)).toMatchObject({
      type: 'confirm',
      updates: [ALWAYS, EDITS],
      scope: 'in this session',
    });
    expect(readReply(typed('3'), ALL)).toEqual({
      type: 'confirm',
      updates: [LASTING],
      scope: 'always in this folder, written to /f.json',
    });
  });

  it.each(['', ' ', 'a', 'always', 'yes but only the first', '1 2', '12', '5', 'maybe', 'ls'])(
    'take %j for no decision, and say what would be one',
    (text) => {
      expect(readReply(typed(text), ALL)).toEqual({
        type: 'unclear',
        help: expect.stringMatching(/Type 1, 2, 3 or 4, then Enter/),
      });
    },
  );

  it('take the last number of the menu for no, and a number behind it for no decision', () => {
    const refused = { type: 'answer', answer: { behavior: 'deny', message: 'not now' } };
    expect(readReply(typed('2 not now'), NONE)).toEqual(refused);
    for (const number of ['3', '4'])
      expect(readReply(typed(number), NONE)).toEqual({
        type: 'unclear',
        help: 'Type 1 or 2, then Enter: 1 or yes to allow it, 2 or no to refuse.',
      });
  });

  it.each(['1', 'yes', '2', '3', 'v'])('take no pasted %j', (text) => {
    expect(readReply(typed(text, true), ALL).type).toBe('unclear');
  });

  it('show all lines at v', () => {
    expect(readReply(typed('v'), ALL)).toEqual({ type: 'show all' });
  });
});

describe('the confirmation of what lasts', () => {
  it('needs the word yes for one rule, and its number for one of several', () => {
    expect(readConfirmation(typed('yes'), [LASTING])).toEqual(LASTING);
    expect(readConfirmation(typed('2'), [LASTING, EDITS])).toEqual(EDITS);
  });

  it.each(['', 'y', '1', 'no', 'yes please'])('takes %j for none of one rule', (text) => {
    expect(readConfirmation(typed(text), [LASTING])).toBeUndefined();
  });

  it.each(['', 'yes', '0', '3', '1 2'])('takes %j for none of two', (text) => {
    expect(readConfirmation(typed(text), [LASTING, EDITS])).toBeUndefined();
  });

  it('takes nothing that was pasted', () => {
    expect(readConfirmation(typed('yes', true), [LASTING])).toBeUndefined();
  });
});

describe('the question whether a folder is trusted', () => {
  it.each([
    ['trust', true],
    [' Trust ', true],
    ['', false],
    ['no', false],
    ['y', undefined],
    ['yes', undefined],
  ])('reads %j', (text, isTrusted) => {
    expect(readTrust(typed(text))).toBe(isTrusted);
  });

  it('takes nothing that was pasted', () => {
    expect(readTrust(typed('trust', true))).toBeUndefined();
  });
});
