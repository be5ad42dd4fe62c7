import { z } from 'zod';
import { AgentDefinition, AgentMcpServerSpec } from '../../core/agents/agent-definition.js';
import { UsageError } from '../../core/errors.js';
import { PERMISSION_MODES, type PermissionMode } from '../../core/permission-types.js';
import { parseRuleList } from '../../permissions/rules/rule-list.js';

const WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
};

/** A boolean, as published: `yes` and `on`, too. */
export const Flag = z.lazy(() =>
  z
    .union([z.boolean(), z.string(), z.number()])
    .transform((value) => WORDS[String(value).trim().toLowerCase()])
    .pipe(z.boolean({ error: 'must be true or false' })),
);

const Mode = z.lazy(() =>
  z
    .enum([...PERMISSION_MODES, 'manual'])
    .transform((mode) => (mode === 'manual' ? ('default' as const) : mode)),
);

/** Rules in a list, or in a text with commas between them. */
const Tools = z.lazy(() =>
  z
    .union([z.array(z.string().min(1)), z.string()], {
      error: 'must be a list of tool names, or names with commas between them',
    })
    .transform((tools, context) => {
      try {
        const lists = typeof tools === 'string' ? [tools] : tools;
        return lists.flatMap((list) => parseRuleList(list, 'tools'));
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        context.addIssue({ code: 'custom', message: error.message.replace(/^tools: /, '') });
        return z.NEVER;
      }
    }),
);

const Names = z.lazy(() =>
  z
    .union([z.array(z.string().min(1)), z.string()], {
      error: 'must be a list of names, or names with commas between them',
    })
    .transform((names) => {
      return typeof names === 'string' ? namesIn(names) : names;
    }),
);

function namesIn(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Servers in a list, in one object, or names with commas between them. */
const Servers = z.lazy(() =>
  z
    .union([z.array(AgentMcpServerSpec), AgentMcpServerSpec], {
      error:
        'must be a list of names of servers, or of servers by name: [{"db": {"command": "…"}}]',
    })
    .transform((servers) => {
      if (typeof servers === 'string') return namesIn(servers);
      return Array.isArray(servers) ? servers : [servers];
    }),
);

const { description, prompt, ...optional } = AgentDefinition.omit({ name: true }).shape;

const options = {
  ...optional,
  tools: Tools.optional(),
  disallowedTools: Tools.optional(),
  model: z.string().min(1).optional(),
  permissionMode: Mode.optional(),
  skills: Names.optional(),
  mcpServers: Servers.optional(),
};

/** All fields of an agent except name and prompt, as people write them in files. */
export const AgentFields = z.lazy(() => z.strictObject({ description, ...options }));

/** An agent without its name, as people write it in `--agents`, in a team file and in the options of `query`. */
export type AgentSpec = Omit<
  AgentDefinition,
  'name' | 'tools' | 'disallowedTools' | 'permissionMode' | 'skills' | 'mcpServers'
> & {
  /** Tools that the agent has, in a list or with commas between them; those of its parent if absent. */
  readonly tools?: string | readonly string[] | undefined;
  /** Tools, or rules such as `Bash(git push *)`, that are denied to the agent and to everything below it. */
  readonly disallowedTools?: string | readonly string[] | undefined;
  /** Permission mode; `manual` is the same as `default`. Without effect if it is laxer than the mode of its parent. */
  readonly permissionMode?: PermissionMode | 'manual' | undefined;
  /** Skills whose texts are in front of its first prompt, by name, in a list or with commas between them. */
  readonly skills?: string | readonly string[] | undefined;
  /** MCP servers whose tools the agent has: names, or servers by name for the agent alone. */
  readonly mcpServers?: string | AgentMcpServerSpec | readonly AgentMcpServerSpec[] | undefined;
};
export const AgentSpec = z.lazy(() =>
  z.strictObject({
    description,
    prompt,
    ...options,
  }),
) satisfies z.ZodType<unknown, AgentSpec>;
