import type { Environment } from '../../../files/folders.js';
import type { SessionContext } from '../../../context/context-keys.js';
import { resolve } from 'node:path';
import {
  createMemoryOfFiles,
  type MemoryOfFiles,
} from '../../../context/memory/memory-of-files.js';
import type { MemoryFileInfo } from '../../../context/memory/memory-file.js';
import { remindOf } from '../../../context/memory/render-memory.js';
import { takesContext } from '../../../context/system-prompt.js';
import { textBlock, type TextBlock } from '../../../core/messages.js';
import { userFolders } from '../../../files/folders.js';
import type { ToolUseContext } from '../../../tools/tool.js';
import { emitFrom } from '../../services/event-bus.js';
import type { Conversation } from '../conversation/conversation.js';
import type { AgentContext } from '../../../core/agents/agent-context.js';
import type { AgentIdentity } from '../../../core/agents/agent-identity.js';
import type { ToolWithInput } from './call.js';

/** Return the instructions for the files that a call has used, as far as the conversation does not have them. */
export type UseInstructions = (
  call: ToolWithInput,
  context: ToolUseContext,
) => Promise<readonly TextBlock[]>;

/** Tools whose paths are files, of which the model sees or changes the content. */
const FILE_TOOLS: readonly string[] = ['Read', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit'];

/** @returns undefined if there are no instructions beside those of the first prompt */
export function createUseInstructions(
  {
    type,
    parentAgentId,
    conversation,
    stepContext,
  }: Pick<AgentIdentity, 'type' | 'parentAgentId'> & {
    readonly conversation: Pick<Conversation, 'results'>;
    readonly stepContext: AgentContext;
  },
  {
    context = {},
    cwd,
    env,
    isTrusted,
  }: {
    readonly context?: SessionContext | undefined;
    readonly cwd: string;
    readonly env: Environment;
    readonly isTrusted: boolean | 'thisRun';
  },
  hear: (file: MemoryFileInfo, usedFile: string) => void,
): UseInstructions | undefined {
  const { memory = [], subfolders = [], excludes = [] } = context;
  const followsLinks = isTrusted !== false;
  const hasRules = memory.some(({ globs }) => globs !== undefined);
  const hasSome = hasRules || subfolders.length > 0;
  if (!hasSome || !takesContext(type, parentAgentId === undefined)) return undefined;
  let ofFiles: MemoryOfFiles | undefined;
  return async ({ tool, input }, { files }) => {
    const target = FILE_TOOLS.includes(tool?.name ?? '')
      ? tool?.permissionTarget?.(input)
      : undefined;
    if (target?.kind !== 'paths') return [];
    const { home } = userFolders(env);
    ofFiles ??= createMemoryOfFiles({ memory, subfolders, excludes, cwd, home, followsLinks });
    const blocks: TextBlock[] = [];
    for (const { path } of target.paths) {
      const found = await ofFiles.find(resolve(files.cwd, path), files.projectRoot);
      for (const problem of found.warnings)
        emitFrom(stepContext, { type: 'instructions.problem', args: [problem] });
      for (const file of found.memory)
        if (
          files.mayRead?.(file.path) !== false &&
          conversation.results.instructions.claim(file.path)
        ) {
          blocks.push(textBlock(remindOf(file)));
          hear(file, path);
        }
    }
    return blocks;
  };
}
