import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listAgents } from '../../../src/extensions/agents/list-agents.js';
import { createFiles } from '../../support/files.js';

const file = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBe ${name}.\n`;

async function createPlace() {
  const folder = await createFiles({
    'home/.claude/agents/reviewer.md': file('reviewer', 'of the user'),
    'work/.claude/agents/reviewer.md': file('reviewer', 'of the project'),
    'work/.troupe/agents/worker.md': file('worker', 'own worker'),
    'work/.troupe/agents/broken.md': '---\nname: broken\n---\n',
  });
  const env = { HOME: join(folder, 'home') };
  return { folder, cwd: join(folder, 'work'), env };
}

describe('listAgents', () => {
  it('says which file each agent comes from, and which one takes its place', async () => {
    const { folder, cwd, env } = await createPlace();
    const given = [{ name: 'reviewer', description: 'given', prompt: '' }];
    const { agents, warnings } = await listAgents({ cwd, env, given });
    const rows = agents.map(({ definition: { name }, source, file: path, shadowedBy }) => [
      name,
      source,
      path,
      shadowedBy,
    ]);
    const at = (path: string): string => join(folder, path);
    expect(rows).toEqual([
      ['general-purpose', 'built-in', undefined, undefined],
      ['Explore', 'built-in', undefined, undefined],
      ['Plan', 'built-in', undefined, undefined],
      ['coordinator', 'built-in', undefined, undefined],
      ['worker', 'built-in', undefined, at('work/.troupe/agents/worker.md')],
      ['reviewer', 'user', at('home/.claude/agents/reviewer.md'), 'flag'],
      ['reviewer', 'project', at('work/.claude/agents/reviewer.md'), 'flag'],
      ['worker', 'project', at('work/.troupe/agents/worker.md'), undefined],
      ['reviewer', 'flag', undefined, undefined],
    ]);
    const broken = at('work/.troupe/agents/broken.md');
    expect(warnings).toEqual([
      `${broken}:1: the agent is left out: "description" is required (a string).`,
    ]);
  });

  it('reads only the sources that are wanted', async () => {
    const { cwd, env } = await createPlace();
    const { agents } = await listAgents({ cwd, env, sources: ['user'] });
    expect(agents.filter(({ source }) => source !== 'built-in')).toMatchObject([
      { source: 'user', definition: { description: 'of the user' } },
    ]);
  });
});
