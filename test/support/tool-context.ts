import { createFileStateCache } from '../../src/tools/capabilities/file-state-cache.js';
import type { ToolUseContext } from '../../src/tools/tool.js';

type Groups = { readonly [Group in keyof ToolUseContext]?: Partial<ToolUseContext[Group]> };

/** The context of one agent's tools: its own memory of files, and nothing of the actors above. */
export function createContext(cwd: string, groups: Groups = {}): ToolUseContext {
  return {
    call: {
      toolUseId: 'toolu_1',
      abortController: new AbortController(),
      messages: [],
      ...groups.call,
    },
    files: { cwd, projectRoot: cwd, readFileState: createFileStateCache(), ...groups.files },
    tasks: groups.tasks ?? {},
    web: groups.web ?? {},
    permissions: groups.permissions ?? {},
    session: {
      tools: [],
      mainLoopModel: 'test',
      agentDefinitions: [],
      verbose: false,
      ...groups.session,
    },
  };
}
