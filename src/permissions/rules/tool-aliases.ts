import type { PermissionBehavior } from '../../core/permission-types.js';

/** The parts of a tool that have its names. */
export type Named = { readonly name: string; readonly aliases?: readonly string[] | undefined };

/** The tools that run command lines in a shell. */
export const RUN_SHELLS: ReadonlySet<string> = new Set(['Bash', 'Monitor', 'Tmux']);

/**
 * The names under which rules and hooks also mean a tool: its aliases, and `Bash` for every tool that runs command lines
 * in a shell. No rule or hook for Bash can be avoided with another such tool.
 */
export function otherNamesOf({ name, aliases = [] }: Named): readonly string[] {
  return RUN_SHELLS.has(name) && name !== 'Bash' ? [...aliases, 'Bash'] : aliases;
}

/**
 * The names under which a rule with this behavior means a tool. A rule for Bash allows nothing that is typed into a
 * terminal: another program may read it, in another folder.
 */
export function namesFor(
  behavior: PermissionBehavior,
  { name, aliases = [] }: Named,
): readonly string[] {
  const isTyped = behavior === 'allow' && name === 'Tmux';
  return [name, ...aliases.filter((alias) => !isTyped || alias !== 'Bash')];
}
