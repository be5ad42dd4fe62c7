import { z } from 'zod';
import { describeRefusal, quotedField, withFullStop } from '../../core/text/describe-issue.js';
import { UsageError } from '../../core/errors.js';
import { Effort } from '../../core/agents/agent-definition.js';
import type { SessionHandle } from '../../actors/contract/handles.js';

/** Settings of the main agent that can change while its session runs. Null: as if the setting were absent. */
const Changeable = z
  .strictObject({ model: z.string().min(1).nullable(), effortLevel: Effort.nullable() })
  .partial();
/** See {@link Changeable}. */
export type FlagSettings = {
  /** ID or alias of the main agent's model. */
  readonly model?: string | null;
  /** How much the main agent thinks. */
  readonly effortLevel?: Effort | null;
};

/**
 * Change settings of the main agent from its next request on: all of them, or none if one is invalid.
 *
 * @throws UsageError for a setting that cannot change in a session, and for an invalid value
 */
export async function applyFlagSettings(
  session: Pick<SessionHandle, 'setModel' | 'setEffort'>,
  settings: unknown,
): Promise<void> {
  const parsed = Changeable.safeParse(settings);
  if (!parsed.success) {
    const fixed = parsed.error.issues.find((issue) => issue.code === 'unrecognized_keys');
    if (fixed !== undefined) throw fixedSettingsError(fixed.keys);
    throw new UsageError(
      withFullStop(describeRefusal(parsed.error, settings, quotedField('the settings'))),
    );
  }
  const { model, effortLevel } = parsed.data;
  if (model !== undefined) await session.setModel(model ?? undefined);
  if (effortLevel !== undefined) session.setEffort(effortLevel ?? undefined);
}

function fixedSettingsError(names: readonly string[]): UsageError {
  return new UsageError(
    `A session that runs can change "model" and "effortLevel", not "${names.join('", "')}". Change the permission mode with setPermissionMode (set_permission_mode), and other settings by starting a session with them (settings, --settings).`,
  );
}
