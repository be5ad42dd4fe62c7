import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../../../../src/api/orchestrator/orchestrator.js';
import { loadSkills } from '../../../../src/extensions/skills/load-skills.js';
import { createScriptedModel } from '../../../../src/model/scripted/scripted-model.js';
import { createFiles } from '../../../support/files.js';
import { allLines, writeCut, type JournalLine } from '../../../support/cut-journal.js';
import { bashCall } from '../../../support/scripts.js';
import { ASK_FIRST } from '../../../support/troupe.js';

const ID = '3f2c1a90-5b7d-4c1e-9a44-0d6f2b8e7c11';

/** A folder with a skill that allows `touch`, and sessions whose model uses the skill and then the command. */
async function createWorld() {
  const cwd = await createFiles({
    '.claude/skills/make/SKILL.md': '---\nallowed-tools: Bash(touch *)\n---\nTouch.\n',
  });
  const env = { HOME: join(cwd, 'home'), PATH: process.env['PATH'] };
  const { skills } = await loadSkills({ cwd, env });
  let clock = 1_000_000;
  const open = (steps: readonly object[], isTrusted = true) => {
    let at = 0;
    const troupe = createOrchestrator({
      cwd,
      env,
      skills,
      isTrusted,
      home: join(cwd, 'home'),
      model: createScriptedModel(() => steps[(at += 1) - 1] ?? { text: 'Done.' }),
      now: () => (clock += 1),
      permissions: { ...ASK_FIRST, alwaysAllowRules: { session: ['Skill'] } },
    });
    onTestFinished(() => troupe.close());
    return troupe;
  };
  const made = join(cwd, 'made');
  return {
    open,
    takeMade(): boolean {
      const isMade = existsSync(made);
      rmSync(made, { force: true });
      return isMade;
    },
    /** Resume what a process left that died after these lines. */
    async resume(from: string, lines: readonly JournalLine[], isTrusted?: boolean) {
      writeCut(from, join(dirname(from), ID), lines);
      const troupe = open([{ tools: [TOUCH] }], isTrusted);
      await troupe.session({ resume: ID, staysOpen: false }).outcome;
      await troupe.close();
    },
  };
}

const TOUCH = bashCall('touch made');
const USE = { tools: [{ name: 'Skill', input: { skill: 'make' } }] };

it('an unfinished turn keeps the grants of its skills when its session is resumed', async () => {
  const world = await createWorld();
  const first = world.open([USE, { tools: [TOUCH] }]);
  const session = first.session({ prompt: 'Go.' });
  await session.outcome;
  await first.close();
  expect(world.takeMade()).toBe(true);
  const lines = allLines(session.directory);
  const loaded = lines.findIndex(
    ({ fields: { type, key } }) => type === 'step.done' && String(key).includes('tool:'),
  );
  await world.resume(session.directory, lines.slice(0, loaded + 1));
  expect(world.takeMade()).toBe(true);
  await world.resume(session.directory, lines.slice(0, loaded + 1), false);
  expect(world.takeMade()).toBe(false);
});

it('a skill that a person typed counts when the resumed session takes its prompt, and not for the next one', async () => {
  const world = await createWorld();
  const first = world.open([{ tools: [TOUCH] }]);
  const session = first.session({ staysOpen: true });
  await session.useSkill('make');
  session.end();
  await session.outcome;
  await first.close();
  expect(world.takeMade()).toBe(true);
  const lines = allLines(session.directory);
  const accepted = lines.findIndex(({ fields }) => fields['type'] === 'mail.accepted');
  await world.resume(session.directory, lines.slice(0, accepted + 1));
  expect(world.takeMade()).toBe(true);

  const troupe = world.open([{ tools: [TOUCH] }]);
  const next = troupe.session({ resume: session.sessionId, prompt: 'Again.' });
  await next.outcome;
  expect(world.takeMade()).toBe(false);
});
