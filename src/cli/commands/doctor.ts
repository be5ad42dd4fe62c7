import type { Folder, RunCommand } from '../command.js';
import { resolve } from 'node:path';
import { messageOf } from '../../api/errors.js';
import { readServers, readSettings } from '../arguments/read-settings.js';
import type { McpArguments, SettingsArguments } from '../arguments/run-arguments.js';
import { found, type Check } from '../doctor/check.js';
import {
  checkAgents,
  checkHome,
  checkLocks,
  checkSettings,
  checkTrust,
} from '../doctor/folder-checks.js';
import { findKeyHelper } from '../../api/options/key-helper.js';
import { mergeSandbox } from '../../api/processes/sandbox.js';
import { checkLanguageServers } from '../doctor/lsp-checks.js';
import { checkMachine, checkSandbox } from '../doctor/machine-checks.js';
import { checkMcp } from '../doctor/mcp-checks.js';
import { checkPlugins } from '../doctor/plugin-checks.js';
import { checkModel } from '../doctor/model-checks.js';
import { isFolderTrusted, loadRunSettings } from '../run/run-settings.js';
import { toTable, type Column } from '../output/table.js';
import { isNarrow, printBlocks, printJson, printTable } from '../output/print.js';

type DoctorChoices = SettingsArguments &
  McpArguments & {
    /** Start the MCP servers. */
    readonly connects: boolean;
  };

/**
 * `troupe doctor`: check that a run in this folder has everything that it needs. Nothing is changed.
 *
 * @returns 1 if a check fails
 */
export const run: RunCommand = async (line, world) => {
  const connects = line.given.has('--mcp');
  const choices = { ...readSettings(line), ...readServers(line), connects };
  const checks = await runChecks(choices, { ...world, cwd: resolve(world.cwd) });
  const isWell = checks.every(({ verdict }) => verdict !== 'fail');
  if (line.given.has('--json')) await printJson([{ ok: isWell, checks }]);
  else if (isNarrow())
    await printBlocks(
      checks.map(({ verdict, name, message, help = '' }) => [
        `${verdict} ${name}: ${message} ${help}`.trimEnd(),
      ]),
    );
  else await printTable(checks.map(toRow), COLUMNS);
  return isWell ? 0 : 1;
};

/** The text of `/doctor`. */
export async function describeChecks(
  choices: DoctorChoices,
  world: Folder,
  width: number,
): Promise<string> {
  const checks = await runChecks(choices, world);
  return (await toTable(checks.map(toRow), { columns: COLUMNS, width })).join('\n');
}

const COLUMNS: readonly Column[] = [{}, { least: 8 }, { least: 24, wraps: true }];

function toRow({ verdict, name, message, help = '' }: Check): readonly string[] {
  return [verdict, name, [message, help].join(' ').trim()];
}

async function runChecks(choices: DoctorChoices, { cwd, env }: Folder): Promise<readonly Check[]> {
  const checks = [
    ...(await checkMachine(env)),
    ...checkHome(env),
    ...(await checkSettings(choices, { cwd, env })),
  ];
  const {
    layers,
    waiting,
    env: merged,
  } = await loadRunSettings(choices, { cwd, env }).catch((error: unknown) => {
    const why = messageOf(error);
    if (!checks.some(({ message }) => message === why)) checks.push(found('settings', 'fail', why));
    return { layers: [], waiting: [], env };
  });
  return [
    ...checks,
    checkSandbox(mergeSandbox(layers.map(({ settings }) => settings)), merged),
    await checkTrust({ cwd, env }, waiting),
    ...(await checkAgents(choices, { cwd, env })),
    ...(await checkPlugins(layers, {
      cwd,
      env: merged,
      isTrusted: () => isFolderTrusted(choices, { cwd, env }),
    })),
    ...(await checkMcp(choices, { cwd, env: merged, layers }, choices)),
    ...checkLanguageServers(layers, { cwd, env: merged }),
    ...checkModel(merged, findKeyHelper({ layers, waiting, cwd, env: merged }), Date.now()),
    checkLocks(env),
  ];
}
