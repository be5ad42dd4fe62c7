import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, UsageError } from '../../api/errors.js';
import { CommandOption } from '../../api/options/orchestrator-schema.js';
import { describeRefusal, quotedField, withFullStop } from '../../api/text.js';
import type { DrawnCommand, ProgramCommand } from '../../api/types.js';

/**
 * Load the commands of a module: its default export is a list of them. To name the module is to trust it.
 *
 * @returns those of sessions, and those that a terminal draws
 * @throws UsageError if the module cannot be loaded, or has something else
 */
export async function loadCommands(
  file: string,
  cwd: string,
): Promise<{
  readonly commands: readonly ProgramCommand[];
  readonly drawn: readonly DrawnCommand[];
}> {
  const refuse = (why: string): UsageError =>
    new UsageError(`--commands ${file}: ${withFullStop(why)}`);
  const { default: given } = await load(pathToFileURL(resolve(cwd, file)).href).catch(
    (error: unknown) => {
      throw refuse(messageOf(error));
    },
  );
  if (!Array.isArray(given)) throw refuse('its default export must be a list of commands');
  for (const [at, one] of given.entries()) {
    const { type }: { readonly type?: unknown } = Object(one) as object;
    const checked = CommandOption.safeParse(
      type === 'local-jsx' ? { ...(one as object), type: 'local' } : one,
    );
    if (!checked.success)
      throw refuse(`${describeRefusal(checked.error, one, quotedField(`command ${at + 1}`))}`);
  }
  const all = given as readonly (DrawnCommand | ProgramCommand)[]; // checked above
  return {
    commands: all.filter((one): one is ProgramCommand => one.type !== 'local-jsx'),
    drawn: all.filter((one): one is DrawnCommand => one.type === 'local-jsx'),
  };
}

async function load(address: string): Promise<{ readonly default?: unknown }> {
  return (await import(address)) as object;
}
