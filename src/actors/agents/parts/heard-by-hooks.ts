import { resolve } from 'node:path';
import type { MemoryFileInfo } from '../../../context/memory/memory-file.js';
import type { AgentId } from '../../../core/ids.js';
import { UsageError } from '../../../core/errors.js';
import { given } from '../../../core/json/given.js';
import type { PermissionUpdate } from '../../../core/permission-types.js';
import { colon, mergeVerdict, type SaidByHook } from '../../hooks/hook-verdict.js';
import type { EventHooks, OwnFields, PromptHooks } from '../../hooks/session-hooks.js';
import { hookCause, type HookedAgent } from './hook-subject.js';
import type { SwitchCost } from './switch-cost.js';

/** Run the hooks for the instructions that a session begins with. */
export function hearOfInstructions(
  hooks: EventHooks,
  agent: HookedAgent,
  memory: readonly MemoryFileInfo[] = [],
): void {
  if (!hooks.hasAny('InstructionsLoaded')) return;
  for (const file of memory.filter(({ globs }) => globs === undefined))
    hearOfFile(hooks, agent, file, file.parent === undefined ? 'session_start' : 'include');
}

/** Run the hooks for one file of instructions. */
export function hearOfFile(
  hooks: EventHooks,
  agent: HookedAgent,
  { path, type, globs, parent }: MemoryFileInfo,
  load_reason: OwnFields<'InstructionsLoaded'>['load_reason'],
  trigger?: string,
): void {
  const own = {
    file_path: path,
    memory_type: type,
    load_reason,
    ...given({
      globs,
      parent_file_path: parent,
      trigger_file_path: trigger && resolve(agent.toolContext.files.cwd, trigger),
    }),
  };
  const { signal } = new AbortController();
  hooks.run('InstructionsLoaded', hookCause(agent, [load_reason]), own, signal).catch(() => {}); // the session is over
}

/**
 * Let hooks judge another model of the main agent. Rejects if one of them refuses it.
 *
 * @returns undefined without hooks
 */
export function judgeModel(
  hooks: EventHooks,
  agent: HookedAgent,
  { from, to, asked, cost }: ModelSwitch,
): Promise<void> | undefined {
  if (!hooks.hasAny('PreModelSwitch') || from === to) return undefined;
  const names = { from_model: from, to_model: to, requested_model: asked };
  const own = { ...names, source: 'sdk' as const, ...cost() };
  const judge = async (): Promise<void> => {
    const { signal } = new AbortController();
    const said = await hooks.run(
      'PreModelSwitch',
      hookCause(agent, namesOf(to, asked)),
      own,
      signal,
    );
    const { objections, stops } = mergeVerdict(said);
    const refusals = said.flatMap(refusalOf);
    const [why] = [...objections, ...refusals, ...(stops === undefined ? [] : [stops])];
    if (why !== undefined) throw new UsageError(`The model stays ${from}: ${why}`);
  };
  return judge();
}

/** The decision of a hook against another model. Nobody can be asked here, so `ask` refuses it too. */
function refusalOf({ name, output: { hookSpecificOutput: own } }: SaidByHook): readonly string[] {
  const { permissionDecision: decision, permissionDecisionReason: reason } = own ?? {};
  if (decision !== 'deny' && decision !== 'ask') return [];
  const does = decision === 'deny' ? 'refuses it' : 'wants a person to confirm it';
  return [`The hook ${name} ${does}${colon(typeof reason === 'string' ? reason : undefined)}`];
}

/** Another model of an agent. */
type ModelSwitch = {
  readonly from: string;
  readonly to: string;
  /** The name that was asked for; null for the first model. */
  readonly asked: string | null;
  /** Called if there are hooks. */
  readonly cost: () => SwitchCost;
};

/** Run the hooks for another model of the main agent. */
export function hearOfModel(
  hooks: EventHooks & Pick<PromptHooks, 'leave'>,
  agent: HookedAgent & { readonly id: AgentId },
  { from, to, asked, cost, source }: ModelSwitch & { readonly source: 'sdk' | 'auto' },
): void {
  if (!hooks.hasAny('PostModelSwitch') || from === to) return;
  const own = { from_model: from, to_model: to, requested_model: asked, source, ...cost() };
  const { signal } = new AbortController();
  const run = hooks.run('PostModelSwitch', hookCause(agent, namesOf(to, asked)), own, signal);
  const texts = run.then((said) => mergeVerdict(said).context);
  hooks.leave(
    agent.id,
    texts.catch(() => []), // the session is over
  );
}

/** The names of a model that a matcher can have: its ID, and the alias that was asked for. */
function namesOf(id: string, asked: string | null): readonly string[] {
  return asked === null || asked === id ? [id] : [id, asked];
}

/** Run the hooks for folders that a program has added. */
export function hearOfFolders(
  hooks: EventHooks,
  agent: HookedAgent,
  updates: readonly PermissionUpdate[],
): void {
  if (!hooks.hasAny('DirectoryAdded')) return;
  const source = 'register_repo_root';
  const { signal } = new AbortController();
  for (const update of updates)
    if (update.type === 'addDirectories')
      for (const directory of update.directories)
        hooks
          .run('DirectoryAdded', hookCause(agent, [source]), { directory, source }, signal)
          .catch(() => {}); // the session is over
}
