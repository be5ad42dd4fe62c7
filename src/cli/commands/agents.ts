import { resolve } from 'node:path';
import type { ListedAgent } from '../../api/types.js';
import { oneLine } from '../../api/text.js';
import { listAgents } from '../../extensions/agents/list-agents.js';
import type { CommandLine } from '../arguments/command-line.js';
import { readSources } from '../arguments/read-settings.js';
import { parseAgents } from '../arguments/parse-agents.js';
import type { Column } from '../table.js';
import { isFolderTrusted, type World } from '../run-settings.js';
import { printJson, printTable, warn } from './print.js';

const DESCRIPTION_WIDTH = 60;

/**
 * `troupe agents`: the agents that there are in this folder. What is wrong with a file goes to stderr.
 *
 * @returns the exit code
 * @throws UsageError for a value of `--agents` that cannot be used
 */
export async function run(line: CommandLine, world: World): Promise<number> {
  const text = line.value('--agents');
  const settingSources = readSources(line);
  const given = text === undefined ? { agents: [], warnings: [] } : parseAgents(text);
  const { agents, warnings, missing, notes } = await listAgents({
    cwd: resolve(world.cwd),
    env: world.env,
    ...(settingSources === undefined ? {} : { sources: settingSources }),
    given: given.agents,
    isTrusted: () =>
      isFolderTrusted({ trustsFolder: false }, { cwd: resolve(world.cwd), env: world.env }),
  });
  const problems = [...given.warnings, ...warnings, ...missing, ...notes];
  if (line.given.has('--json')) {
    await printJson([{ agents: agents.map(toJson), problems }]);
    return 0;
  }
  await printTable([HEAD, ...agents.map(toRow)], COLUMNS);
  warn(problems);
  return 0;
}

function toJson({ definition, ...place }: ListedAgent): object {
  const { prompt: _prompt, ...fields } = definition;
  return { ...fields, ...place };
}

const HEAD = ['name', 'source', 'model', 'mode', 'tools', 'description'];
const COLUMNS: readonly Column[] = [
  {},
  { least: 8, isOptional: true },
  { isOptional: true },
  { isOptional: true },
  { least: 12, isOptional: true },
  { least: 23, wraps: true },
];

function toRow({ definition, source, file, shadowedBy }: ListedAgent): readonly string[] {
  const { name, model = 'inherit', permissionMode = '-', tools, disallowedTools } = definition;
  const without = disallowedTools === undefined ? '' : ` without ${disallowedTools.join(',')}`;
  const where = file === undefined ? source : `${source}, ${file}`;
  return [
    oneLine(name, 40),
    oneLine(shadowedBy === undefined ? where : `${where}, shadowed by ${shadowedBy}`, Infinity),
    oneLine(model, 40),
    permissionMode,
    oneLine(`${tools?.join(',') ?? 'all'}${without}`, 60),
    oneLine(definition.description, DESCRIPTION_WIDTH),
  ];
}
