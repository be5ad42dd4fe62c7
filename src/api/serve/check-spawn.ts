import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../core/errors.js';
import type { PermissionMode } from '../../core/permission-types.js';
import { describeSystemError } from '../../core/system-error.js';
import { isInside } from '../../files/is-inside.js';
import { stricterMode } from '../../permissions/modes/modes.js';
import { baseToolNames } from '../../tools/pool/base-tools.js';
import type { ServedOptions, SpawnRequest } from './serve-types.js';

/** Find the folder of a new session. @throws UsageError for a folder that is not one of the server's */
export function folderFor(
  { cwd: wanted }: Pick<SpawnRequest, 'cwd'>,
  { cwd, folders }: Pick<ServedOptions, 'cwd' | 'folders'>,
): string {
  if (wanted === undefined) return cwd;
  const folder = realFolder(resolve(cwd, wanted));
  if (folders.some((one) => isInside(folder, realFolder(one)))) return folder;
  throw new UsageError(
    `cwd: ${folder} is not in a folder of this server: ${folders.join(', ')}. Name one of these or a folder in it, or start the server with --add-dir.`,
  );
}

function realFolder(path: string): string {
  try {
    const real = realpathSync(path);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw new UsageError(`cwd: ${path} cannot be used: ${describeSystemError(error)}.`);
  }
  throw new UsageError(`cwd: ${path} is not a folder.`);
}

/** Find the tools of a new session. @throws UsageError for a tool that the server does not have */
export function toolsFor(
  { tools: wanted }: Pick<SpawnRequest, 'tools'>,
  { tools }: Pick<ServedOptions, 'tools'>,
): readonly string[] | undefined {
  if (wanted === undefined) return tools;
  const names = baseToolNames(wanted);
  const own = tools === undefined ? undefined : baseToolNames(tools);
  const more = names.filter((name) => own?.includes(name) === false);
  if (more.length === 0) return names;
  throw new UsageError(
    `tools: this server has no ${more.join(', ')}. Its tools: ${own?.join(', ') || 'none'}.`,
  );
}

/** @throws UsageError for a mode that is laxer than the server's */
export function checkMode(wanted: PermissionMode | undefined, most: PermissionMode): void {
  if (wanted === undefined || stricterMode(most, wanted) === wanted) return;
  throw new UsageError(
    `mode: ${wanted} is laxer than ${most}, the mode of this server. Name ${most} or a stricter mode, or start the server with --permission-mode ${wanted}.`,
  );
}

/** @throws UsageError for more money than a session of the server may cost */
export function checkMoney(
  { budget }: Pick<SpawnRequest, 'budget'>,
  { maxBudgetUsd: most }: Pick<ServedOptions, 'maxBudgetUsd'>,
): void {
  if (most === undefined || budget?.usd === undefined || budget.usd <= most) return;
  throw new UsageError(
    `budget.usd: ${budget.usd} is more than ${most}, the limit of this server for a session. Name at most ${most}.`,
  );
}
