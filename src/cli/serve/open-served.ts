import type { World } from '../command.js';
import { resolve } from 'node:path';
import type { ServedAgents } from '../../api/serve/serve-types.js';
import { isInside } from '../../api/files/folders.js';
import { createServedAgents } from '../../api/serve/served-agents.js';
import { runArgumentsOf } from '../run/read-run.js';
import type { RunArguments } from '../arguments/run-arguments.js';
import type { CommandLine } from '../arguments/command-line.js';
import { warn } from '../output/print.js';
import { createProgressLines } from '../summaries/progress-lines.js';
import { openOrchestrator, prepareRun, type PreparedRun } from '../run/prepare-run.js';
import { describeWaiting } from '../run/run-settings.js';

/**
 * Make the agents that a server serves. The settings of its own folder are read at once, and those of another folder when
 * its first agent comes.
 *
 * @throws UsageError for an invalid flag, file or setting
 */
export async function openServed(line: CommandLine, world: World): Promise<Served> {
  const run = runArgumentsOf(line, undefined);
  const { cwd } = world;
  const own = await prepareRun(run, world, { warn: (text) => warn([text]) });
  report(own);
  const { additionalWorkingDirectories } = own.options.permissions;
  const more = run.addDirectories.map((folder) => resolve(cwd, folder));

  const prepare = async (place: Place): Promise<PreparedRun> => {
    if (place.cwd === cwd && place.tools === run.tools) return own;
    const prepared = await prepareRun(runIn(run, cwd, place), { ...world, cwd: place.cwd });
    report(prepared);
    return prepared;
  };
  const agents = createServedAgents({
    cwd,
    folders: [...new Set([cwd, ...more, ...Object.keys(additionalWorkingDirectories)])],
    tools: run.tools,
    maxBudgetUsd: run.session.maxBudgetUsd,
    async open(place) {
      const { options, start } = await prepare(place);
      const orchestrator = await openOrchestrator(options);
      return { orchestrator, start, mode: options.permissions.mode };
    },
    describe: createProgressLines,
  });
  return { agents, types: own.definitions };
}

/** Agents of a server, and the types that clients may name. */
export type Served = {
  readonly agents: ServedAgents;
  readonly types: readonly { readonly name: string; readonly description: string }[];
};

type Place = { readonly cwd: string; readonly tools: readonly string[] | undefined };

/** The run of the command line for another folder. Trust holds for the folder of the server and the folders in it. */
function runIn(run: RunArguments, from: string, { cwd, tools }: Place): RunArguments {
  return {
    ...run,
    tools,
    addDirectories: run.addDirectories.map((folder) => resolve(from, folder)),
    trustsFolder: run.trustsFolder && isInside(cwd, from),
  };
}

function report({ waiting, warnings }: PreparedRun): void {
  warn([...describeWaiting(waiting), ...warnings]);
}
