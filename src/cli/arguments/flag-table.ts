import type { Effort, SandboxMode, SettingSource, SharedOptions } from '../../api/types.js';

/** The completions of a shell for a word: words, files or folders. */
export type Offer = readonly string[] | 'files' | 'folders';

export type Flag = {
  /** The name of the value in the help; a flag without one takes none. */
  readonly value?: string;
  /** May stand without its value. */
  readonly isOptional?: boolean;
  readonly aliases?: readonly string[];
  /** May be given several times. */
  readonly isList?: boolean;
  /** Takes every word up to the next flag. */
  readonly isVariadic?: boolean;
  /** The form of a variadic flag's values after the first; every word if absent. */
  readonly furtherValues?: RegExp;
  /** The completions of a shell for the value. */
  readonly offer?: Offer;
  /** The option of the session that the flag sets, and the form of its value. */
  readonly sets?: { readonly option: keyof SharedOptions; readonly as: ValueForm };
  readonly help: string;
};

/** The form of a value: `switch` has none, `line` is a text of one line, `amount` is in US dollars. */
export type ValueForm = 'amount' | 'count' | 'line' | 'switch' | 'uuid';

const OUTPUT_FORMATS = ['text', 'json', 'stream-json', 'markdown'] as const;
const INPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
export type InputFormat = (typeof INPUT_FORMATS)[number];
const MODELS = ['sonnet', 'opus', 'haiku'] as const;
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const satisfies readonly Effort[];
const THINKING_MODES = ['adaptive', 'enabled', 'disabled'] as const;
const SANDBOXES = ['none', 'bwrap', 'external'] as const satisfies readonly SandboxMode[];
const SOURCES = ['user', 'project', 'local'] as const satisfies readonly SettingSource[];
const PERMISSION_MODES = [
  'default',
  'acceptEdits',
  'plan',
  'dontAsk',
  'bypassPermissions',
  'auto',
  'manual',
] as const;

/** Rules begin with the name of a tool, and their list may have blanks; a prompt rarely does. */
const RULES = /^(?:(?:[A-Z]\w*|mcp__[\w*-]+|\*)(?:\([^]*\))?(?:[\s,]+(?=\S)|$))+$/;
const TOOL_NAMES = /^(?:[A-Z]\w*(?:[\s,]+(?=\S)|$))+$/;

/** The flags of a run, by the headings of its help. */
export const RUN_TOPICS = {
  Sessions: {
    '--continue': {
      aliases: ['-c'],
      help: 'resume the newest session of this folder',
    },
    '--resume': {
      value: 'ID',
      isOptional: true,
      aliases: ['-r'],
      help: 'resume this session; at a terminal without an ID, choose one',
    },
    '--fork-session': { help: 'with --continue or --resume: resume a copy' },
    '--session-id': {
      value: 'UUID',
      sets: { option: 'sessionId', as: 'uuid' },
      help: 'the ID of the new session',
    },
    '--name': {
      value: 'TITLE',
      aliases: ['-n'],
      sets: { option: 'title', as: 'line' },
      help: 'a title for the session',
    },
    '--init': { help: 'run the Setup hooks first (trigger: init)' },
    '--init-only': { help: 'run the hooks of Setup and SessionStart, and end' },
    '--maintenance': { help: 'run the Setup hooks first (trigger: maintenance)' },
  },
  'Model and limits': {
    '--model': {
      offer: MODELS,
      value: 'MODEL',
      help: 'a model ID, an alias (default, sonnet, opus, haiku, fable, best, opusplan), or scripted:FILE',
    },
    '--fallback-model': {
      offer: MODELS,
      value: 'MODEL',
      help: 'models to use while the first is overloaded, separated by commas',
    },
    '--effort': {
      offer: EFFORTS,
      value: 'LEVEL',
      help: 'how much to think: low, medium, high, xhigh or max',
    },
    '--max-turns': {
      value: 'N',
      sets: { option: 'maxTurns', as: 'count' },
      help: 'most model requests of the main agent',
    },
    '--max-budget-usd': {
      value: 'N',
      sets: { option: 'maxBudgetUsd', as: 'amount' },
      help: 'most USD that all agents of the session may cost together',
    },
    '--max-concurrent-agents': {
      value: 'N',
      help: 'most agents that work at the same time',
    },
  },
  Permissions: {
    '--permission-mode': {
      offer: PERMISSION_MODES,
      value: 'MODE',
      help: 'default (manual), acceptEdits, plan, dontAsk, auto or bypassPermissions',
    },
    '--allowedTools': {
      value: 'RULES…',
      aliases: ['--allowed-tools'],
      isList: true,
      isVariadic: true,
      furtherValues: RULES,
      help: 'rules that allow without asking: "Bash(npm test *),Read"',
    },
    '--disallowedTools': {
      value: 'RULES…',
      aliases: ['--disallowed-tools'],
      isList: true,
      isVariadic: true,
      furtherValues: RULES,
      help: 'rules that always deny',
    },
    '--dangerously-skip-permissions': {
      help: 'the same as --permission-mode bypassPermissions',
    },
    '--permission-prompt-tool': {
      offer: ['stdio'],
      value: 'TOOL',
      help: 'who decides: stdio (the client on stdin and stdout) or mcp__server__tool',
    },
    '--wait-for-approval': {
      help: 'requests wait for troupe approve and troupe deny instead of being denied',
    },
    '--sandbox': {
      offer: SANDBOXES,
      value: 'MODE',
      help: 'the sandbox for commands: bwrap, external or none',
    },
    '--add-dir': {
      offer: 'folders',
      value: 'DIR…',
      isList: true,
      isVariadic: true,
      help: 'more folders that agents may work in',
    },
    '--trust': { help: "trust this folder's settings for this run" },
  },
  'Agents, tools and settings': {
    '--agent': {
      value: 'NAME',
      help: 'the main agent of the session',
    },
    '--agents': {
      value: 'JSON',
      help: 'define agents: {"reviewer": {"description": …, "prompt": …}}',
    },
    '--tools': {
      value: 'NAMES…',
      isList: true,
      isVariadic: true,
      furtherValues: TOOL_NAMES,
      help: 'the built-in tools to use: "Read,Bash", "" for none, or default',
    },
    '--mcp-config': {
      offer: 'files',
      value: 'JSON|FILE…',
      isList: true,
      isVariadic: true,
      help: 'MCP servers as JSON text or as files, in the form of .mcp.json',
    },
    '--strict-mcp-config': {
      help: 'use only the MCP servers of --mcp-config',
    },
    '--plugin-dir': {
      offer: 'folders',
      value: 'DIR',
      isList: true,
      help: 'the folder of a plugin for this run; may be repeated',
    },
    '--commands': {
      offer: 'files',
      value: 'FILE',
      help: 'a JavaScript module with commands for this run: its default export is a list of them',
    },
    '--settings': {
      offer: 'files',
      value: 'JSON|FILE',
      isList: true,
      help: 'settings as JSON text or as a file',
    },
    '--setting-sources': {
      offer: SOURCES,
      value: 'LAYERS',
      help: 'the settings to read: user,project,local (default: all)',
    },
    '--system-prompt': {
      value: 'TEXT',
      help: 'replace the system prompt of the main agent',
    },
    '--system-prompt-file': {
      offer: 'files',
      value: 'FILE',
      help: 'the same, from a file',
    },
    '--append-system-prompt': {
      value: 'TEXT',
      help: 'append to the system prompt of the main agent',
    },
    '--append-system-prompt-file': {
      offer: 'files',
      value: 'FILE',
      help: 'the same, from a file',
    },
  },
  'Input and output': {
    '--print': {
      aliases: ['-p'],
      help: 'run the prompt, print the answer, end',
    },
    '--output-format': {
      offer: OUTPUT_FORMATS,
      value: 'FORMAT',
      help: 'text (default), json, stream-json or markdown',
    },
    '--input-format': {
      offer: INPUT_FORMATS,
      value: 'FORMAT',
      help: 'text (default), json or stream-json',
    },
    '--json-schema': {
      offer: 'files',
      value: 'JSON|FILE',
      help: 'require an answer in JSON that satisfies this schema',
    },
    '--include-partial-messages': {
      sets: { option: 'includePartialMessages', as: 'switch' },
      help: 'with stream-json: print replies while they stream',
    },
    '--include-hook-events': {
      sets: { option: 'includeHookEvents', as: 'switch' },
      help: 'with stream-json: print the start and the end of hooks',
    },
    '--replay-user-messages': {
      help: 'with stream-json both ways: print the prompts too',
    },
    '--forward-subagent-text': {
      help: 'with stream-json: print the texts of sub-agents (always on)',
    },
    '--no-session-persistence': {
      help: 'delete the session when it ends',
    },
    '--verbose': { help: 'print progress to stderr' },
  },
  Other: {
    '--thinking': {
      offer: THINKING_MODES,
      value: 'MODE',
      help: 'whether to think: adaptive, enabled or disabled',
    },
    '--max-thinking-tokens': {
      value: 'N',
      help: 'most tokens of thinking; 0 for no thinking',
    },
    '--betas': {
      value: 'NAMES…',
      isList: true,
      isVariadic: true,
      furtherValues: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/,
      help: 'beta features of the Messages API, sent as anthropic-beta',
    },
    '--allow-dangerously-skip-permissions': {
      help: 'let the session be switched to bypassPermissions later',
    },
    '--bare': {
      help: 'load no hooks, agents, skills, instructions and MCP servers of user and project; tools: Bash, Read, Edit, Write',
    },
    '--disable-slash-commands': { help: 'no skills: a prompt that begins with a slash is a text' },
    '--safe-mode': { help: 'the same with all tools' },
    '--version': { aliases: ['-v'], help: 'print the version' },
    '--help': {
      aliases: ['-h'],
      help: 'print help; COMMAND --help: the help of that command',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Flag>>>>;
