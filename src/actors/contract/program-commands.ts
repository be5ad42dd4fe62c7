import type {
  CommandBase,
  LocalCommand,
  ProgramCommand,
  ProgramPrompt,
  Skill,
} from '../../core/commands/command.js';
import { WITHOUT_FRONTMATTER } from '../../core/commands/without-frontmatter.js';

/** A command that a program carries out. */
export type ProgramLocal = CommandBase & LocalCommand;

/** The commands that a program carries out. */
export function localCommandsOf(commands: readonly ProgramCommand[] = []): readonly ProgramLocal[] {
  return commands.filter((command): command is ProgramLocal => command.type === 'local');
}

/** The skills of files, behind the prompts of a program; a prompt replaces a skill of its name. */
export function withProgramPrompts(
  skills: readonly Skill[] | undefined,
  commands: readonly ProgramCommand[] | undefined,
): readonly Skill[] | undefined {
  if (commands === undefined) return skills;
  const own = commands.flatMap((command) => (command.type === 'prompt' ? [toSkill(command)] : []));
  return joinSkills(own, skills ?? []);
}

/** Skills, the stronger ones of each name. */
export function joinSkills(stronger: readonly Skill[], others: readonly Skill[]): readonly Skill[] {
  if (stronger.length === 0) return others;
  const names = new Set(stronger.map(({ name }) => name));
  return [...stronger, ...others.filter(({ name }) => !names.has(name))];
}

function toSkill(command: CommandBase & ProgramPrompt): Skill {
  return {
    hasUserSpecifiedDescription: true,
    disableModelInvocation: false,
    userInvocable: true,
    ...WITHOUT_FRONTMATTER,
    ...command,
    loadedFrom: 'bundled',
    source: 'bundled',
  };
}
