import { statSync } from 'node:fs';
import type { Skill } from '../../core/commands/command.js';
import { UsageError } from '../../core/errors.js';
import { readFrontmatter } from '../../files/frontmatter.js';
import { readPlantedFile } from '../../files/read-planted-file.js';
import { joinPath } from '../../permissions/paths/normalise.js';
import type { ToolUseContext } from '../tool.js';
import { toCommandContext } from './command-context.js';
import { foldersOfSkill } from './rules-of-skill.js';
import { fillArguments, takesArguments, type SkillValues } from './fill-arguments.js';
import { runForSkill } from './run-for-skill.js';
import { findMentions, splitText } from './split-text.js';

/**
 * Make the prompt of a skill: its text with arguments, output of commands, and the files that it names behind it.
 * Commands and files need the permission of the agent; `allowed-tools` of the skill count.
 *
 * @throws Error for the model or the person, if the file or a command fails
 */
export async function renderSkill(
  skill: Skill,
  args: string,
  context: ToolUseContext,
): Promise<string> {
  if (skill.getPromptForCommand !== undefined) {
    const blocks = await skill.getPromptForCommand(args, toCommandContext(context));
    const texts = [
      baseOf(skill),
      ...blocks.map(({ text }) => text),
      askForWorkflow(skill, context),
    ];
    return texts.filter(Boolean).join('\n\n');
  }
  const template = await readText(skill);
  const parts = splitText(template);
  const commands = parts.filter(({ kind }) => kind === 'command').length;
  if (commands > 0 && skill.withoutCommands === 'untrusted')
    throw new UsageError(
      `The skill "${skill.name}" runs commands, and this folder is not trusted. To let it run them: troupe trust, or --trust for one run.`,
    );
  const values = valuesOf(skill, args, context);
  const texts: string[] = [];
  const mentions = new Set<string>();
  for (const part of parts) {
    if (part.kind === 'text') {
      const text = fillArguments(part.text, values);
      for (const path of findMentions(text)) mentions.add(path);
      texts.push(text);
    } else texts.push(await outputOf(skill, fillArguments(part.command, values), context));
  }
  if (args !== '' && !takesArguments(template, skill.argNames))
    texts.push(`\n\nARGUMENTS: ${args}`);
  const files = await readMentions(skill, [...mentions], context);
  return [baseOf(skill), texts.join('').trim(), ...files, describeVariants(skill, context)]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Name the skills of folders below that have the same name; empty if there are none. */
function describeVariants({ name }: Skill, { session }: ToolUseContext): string {
  const variants = (session.skills?.all ?? []).filter(
    (one) => one.folder !== undefined && one.name === `${one.folder}:${name}`,
  );
  if (variants.length === 0) return '';
  const lines = variants.map((one) => `- ${one.name}: for files in ${one.folder}`);
  return [
    'These folders have a skill of the same name. If your work is about files there, load it with the tool Skill, too:',
    ...lines,
  ].join('\n');
}

async function readText({ name, file, roots }: Skill): Promise<string> {
  if (file === undefined)
    throw new UsageError(`The skill "${name}" has no file and no getPromptForCommand.`);
  const read = readPlantedFile(file, { roots });
  if (read.status !== 'read') {
    const why = read.status === 'missing' ? 'it does not exist any more' : read.why;
    throw new UsageError(`The skill "${name}" cannot be read: ${file}: ${why}.`);
  }
  const { body } = await readFrontmatter(read.text);
  return body;
}

function valuesOf(skill: Skill, args: string, { files, session }: ToolUseContext): SkillValues {
  const { argNames } = skill;
  const effort = skill.effort ?? session.skills?.effort?.();
  return {
    args,
    argNames,
    variables: {
      ...foldersOfSkill(skill, files),
      CLAUDE_SESSION_ID: session.skills?.sessionId ?? '',
      ...(effort === undefined ? {} : { CLAUDE_EFFORT: effort }),
    },
  };
}

/** Ask for the tool of a prompt that starts a workflow; empty for another one. @throws UsageError without the tool */
function askForWorkflow({ name, kind }: Skill, { session }: ToolUseContext): string {
  if (kind !== 'workflow') return '';
  if (!session.tools.some((tool) => tool.name === 'Workflow'))
    throw new UsageError(
      `The skill "${name}" was not used, because it starts a workflow and needs the tool Workflow, which is not here.`,
    );
  return 'Start this with the tool Workflow. If it is not loaded, find it with ToolSearch: select:Workflow';
}

function baseOf({ skillRoot }: Skill): string {
  return skillRoot === undefined ? '' : `Base directory for this skill: ${skillRoot}`;
}

async function outputOf(skill: Skill, command: string, context: ToolUseContext): Promise<string> {
  if (skill.withoutCommands === 'disabled') return DISABLED;
  const tool = skill.shell === 'powershell' ? 'PowerShell' : 'Bash';
  if (!context.session.tools.some(({ name }) => name === tool))
    throw new UsageError(
      `The skill "${skill.name}" was not used, because its commands need the tool ${tool}, which is not here.`,
    );
  const ended = await runForSkill(skill, { tool, input: { command } }, context);
  if (ended.ok) return ended.text;
  throw new UsageError(
    `The skill "${skill.name}" was not used, because its command failed: ${command}\n${ended.text}`,
  );
}

/** In place of the output of a command, as published. */
const DISABLED = '[shell command execution disabled by policy]';

/** Read the files that a text names; a name without a file is a text. */
async function readMentions(
  skill: Skill,
  mentions: readonly string[],
  context: ToolUseContext,
): Promise<readonly string[]> {
  const files = mentions
    .map((path) => ({ path, file: joinPath(context.files.cwd, path) }))
    .filter(({ file }) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
  return Promise.all(
    files.map(async ({ path, file }) => {
      const { text } = await runForSkill(
        skill,
        { tool: 'Read', input: { file_path: file } },
        context,
      );
      return `Content of @${path}:\n${text}`;
    }),
  );
}
