import { resolve } from 'node:path';
import { messageOf } from '../../core/errors.js';
import type { Command } from '../arguments/command.js';
import { found, type Check } from '../doctor/check.js';
import {
  checkAgents,
  checkHome,
  checkLocks,
  checkSettings,
  checkTrust,
} from '../doctor/folder-checks.js';
import { mergeSandbox } from '../../extensions/settings/merge-sandbox.js';
import { checkMachine, checkSandbox } from '../doctor/machine-checks.js';
import { checkMcp } from '../doctor/mcp-checks.js';
import { checkModel } from '../doctor/model-checks.js';
import { loadRunSettings } from '../run-settings.js';
import { printJson, printTable } from './print.js';

type DoctorCommand = Extract<Command, { type: 'doctor' }>;
type World = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/**
 * `troupe doctor`: looks whether all is there that a run in this folder needs. Nothing is changed.
 *
 * @returns 1 where something fails
 */
export async function showHealth(command: DoctorCommand, world: World): Promise<number> {
  const checks = await runChecks(command, { ...world, cwd: resolve(world.cwd) });
  const isWell = checks.every(({ verdict }) => verdict !== 'fail');
  if (command.isJson) await printJson([{ ok: isWell, checks }]);
  else
    await printTable(
      checks.map(({ verdict, name, message, help = '' }) => [
        verdict,
        name,
        [message, help].join(' ').trim(),
      ]),
      [{}, { least: 8 }, { least: 24, wraps: true }],
    );
  return isWell ? 0 : 1;
}

async function runChecks(command: DoctorCommand, { cwd, env }: World): Promise<readonly Check[]> {
  const checks = [
    ...(await checkMachine(env)),
    ...checkHome(env),
    ...(await checkSettings(command, { cwd, env })),
  ];
  const {
    layers,
    waiting,
    env: merged,
  } = await loadRunSettings(command, { cwd, env }).catch((error: unknown) => {
    const why = messageOf(error);
    if (!checks.some(({ message }) => message === why)) checks.push(found('settings', 'fail', why));
    return { layers: [], waiting: [], env };
  });
  return [
    ...checks,
    checkSandbox(mergeSandbox(layers.map(({ settings }) => settings)), merged),
    await checkTrust({ cwd, env }, waiting),
    ...(await checkAgents(command, { cwd, env })),
    ...(await checkMcp(command, { cwd, env: merged, layers }, command)),
    ...checkModel(merged, Date.now()),
    checkLocks(env),
  ];
}
