import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IDLE_STEP } from '../../../src/journal/entries/agent-entries.js';
import { parseStepKey, stepKey } from '../../../src/journal/entries/step-key.js';

describe('the key of a step', () => {
  it('is read as it was made, whatever the id of the tool use is', () => {
    fc.assert(
      fc.property(fc.nat(), fc.string(), fc.nat(), (turn, anyId, index) => {
        const id = anyId.replaceAll('/ends-turn', '');
        expect([
          parseStepKey(stepKey.inbox(turn)),
          parseStepKey(stepKey.model(turn)),
          parseStepKey(stepKey.said(turn, index)),
          parseStepKey(stepKey.tool(turn, id)),
          parseStepKey(stepKey.endsTurn(turn, id)),
          parseStepKey(stepKey.classifier(turn, id, 'ab12')),
          parseStepKey(stepKey.compact(turn)),
          parseStepKey(stepKey.conclude(turn)),
        ]).toEqual([
          { turn, part: 'inbox', id: '' },
          { turn, part: 'model', id: '' },
          { turn, part: 'said', id: `${index}` },
          { turn, part: 'tool', id },
          { turn, part: 'endsTurn', id },
          { turn, part: 'classifier', id: `${id}:ab12` },
          { turn, part: 'compact', id: '' },
          { turn, part: 'conclude', id: '' },
        ]);
      }),
    );
  });

  it.each([IDLE_STEP, '', 'turn:1', 'turn:x/model', 'turn:1/other', 'turn:1/toString', 'model'])(
    'is not %j',
    (key) => expect(parseStepKey(key)).toBeUndefined(),
  );
});
