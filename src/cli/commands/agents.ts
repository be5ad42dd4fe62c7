import type { RunCommand } from '../command.js';
import { resolve } from 'node:path';
import type { AgentDefinition, ListedAgent } from '../../api/types.js';
import { oneLine, shorten } from '../../api/text.js';
import { listAgents } from '../../api/extensions/list-agents.js';
import { readSources } from '../arguments/read-settings.js';
import { parseAgents } from '../arguments/parse-agents.js';
import type { Column } from '../output/table.js';
import { isFolderTrusted } from '../run/run-settings.js';
import { openStdout } from '../output/output-writer.js';
import { isNarrow, printBlocks, printJson, printTable, warn } from '../output/print.js';

/** Most characters of a description: in one line, and in a cell that is wrapped. */
const DESCRIPTION_WIDTHS = { pipe: 60, terminal: 160 } as const;

/**
 * `troupe agents`: list the agents of this folder. Faults of files go to stderr.
 *
 * @returns the exit code
 * @throws UsageError for an invalid value of `--agents`
 */
export const run: RunCommand = async (line, world) => {
  const text = line.value('--agents');
  const settingSources = readSources(line);
  const given = text === undefined ? [] : parseAgents(text);
  const { agents, warnings, missing, notes } = await listAgents({
    cwd: resolve(world.cwd),
    env: world.env,
    ...(settingSources === undefined ? {} : { sources: settingSources }),
    given,
    isTrusted: () =>
      isFolderTrusted({ trustsFolder: false }, { cwd: resolve(world.cwd), env: world.env }),
  });
  const problems = [...warnings, ...missing, ...notes];
  if (line.given.has('--json')) {
    await printJson([{ agents: agents.map(toJson), problems }]);
    return 0;
  }
  if (isNarrow()) await printBlocks(agents.map(toBlock));
  else await printTable([HEAD, ...agents.map(toRow)], COLUMNS);
  warn(problems);
  return 0;
};

function toJson({ definition, ...place }: ListedAgent): object {
  const { prompt: _prompt, ...fields } = definition;
  return { ...fields, ...place };
}

const HEAD = ['name', 'source', 'model', 'mode', 'tools', 'description'];
const COLUMNS: readonly Column[] = [
  {},
  { least: 16, isOptional: true, wraps: true, shortensPaths: true },
  { isOptional: true },
  { isOptional: true },
  { least: 12, isOptional: true, wraps: true },
  { least: 23, wraps: true },
];

function toRow(one: ListedAgent): readonly string[] {
  const { definition } = one;
  const { name, model = 'inherit', permissionMode = '-', description } = definition;
  const { isTerminal } = openStdout();
  return [
    oneLine(name, 40),
    placeOf(one),
    oneLine(model, 40),
    permissionMode,
    oneLine(toolsOf(definition, isTerminal ? ', ' : ','), 60),
    shorten(description, isTerminal ? DESCRIPTION_WIDTHS.terminal : DESCRIPTION_WIDTHS.pipe),
  ];
}

/** The main facts of an agent, for a narrow terminal. */
function toBlock(one: ListedAgent): readonly string[] {
  const { name, description } = one.definition;
  return [
    oneLine(name, 40),
    shorten(description, DESCRIPTION_WIDTHS.terminal),
    placeOf(one),
    `tools: ${oneLine(toolsOf(one.definition, ', '), 200)}`,
  ];
}

function placeOf({ source, file, shadowedBy }: ListedAgent): string {
  const where = file === undefined ? source : `${source}, ${file}`;
  return oneLine(
    shadowedBy === undefined ? where : `${where}, shadowed by ${shadowedBy}`,
    Infinity,
  );
}

function toolsOf({ tools, disallowedTools }: AgentDefinition, between: string): string {
  const without = disallowedTools === undefined ? '' : ` without ${disallowedTools.join(between)}`;
  return `${tools?.join(between) ?? 'all'}${without}`;
}
