import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createGate } from '../../support/gate.js';
import { newestResults, playParts, resultText } from '../../support/scripts.js';
import { GREETING } from '../../support/skills.js';
import { createFolder, createTroupe } from '../../support/troupe.js';

const USE = { name: 'Skill', input: { skill: 'greet' } };
const HELLO = 'Hello.';
const LATER = 'works in the background';

it.each([
  ['waits at a terminal only while an earlier use runs', true, undefined, [LATER, HELLO]],
  ['waits with background: false', true, false, [HELLO, HELLO]],
  ['does not wait with background: true', false, true, [LATER, LATER]],
  ['waits in a program', false, undefined, [HELLO, HELLO]],
] as const)('the model %s', async (_, backgroundsSkills, background, wanted) => {
  const results: string[] = [];
  const second = createGate();
  let uses = 0;
  const greet = async () => {
    uses += 1;
    if (uses === 2) second.open();
    else if (wanted[0] === LATER) await second.opened;
    return { text: HELLO };
  };
  const file = join(await createFolder(), 'greet.md');
  await writeFile(file, 'Greet.');
  const { troupe } = await createTroupe(
    playParts({
      main: [
        { tools: [USE, USE] },
        ({ messages }) => {
          results.push(...newestResults(messages).map(resultText));
          return { text: 'Done.' };
        },
        { text: 'Done.' },
      ],
      'general-purpose': [greet],
    }),
    {
      skills: [
        { ...GREETING, file, context: 'fork', ...(background !== undefined && { background }) },
      ],
    },
  );
  await troupe.session({ prompt: 'Go.', backgroundsSkills }).outcome;
  expect(results.map((text) => (text.includes(LATER) ? LATER : text))).toEqual(wanted);
});
