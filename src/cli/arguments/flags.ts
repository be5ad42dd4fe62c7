import { nearestName } from '../../core/nearest-name.js';

/** Every flag of the command: its value, and its line in `--help`. */
export type FlagName = keyof typeof FLAGS;

export type Flag = {
  /** What stands for the value in the help; a flag without one takes none. */
  readonly value?: string;
  readonly aliases?: readonly string[];
  /** May be given several times. */
  readonly isList?: boolean;
  /** Takes every word up to the next flag. */
  readonly isVariadic?: boolean;
  /** Of a variadic flag: what a value after the first looks like; every word if absent. */
  readonly furtherValues?: RegExp;
  readonly help: string;
};

export const OUTPUT_FORMATS = ['text', 'json', 'stream-json', 'markdown'] as const;
export const INPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
export type InputFormat = (typeof INPUT_FORMATS)[number];

/** Rules begin with the name of a tool, and their list may have blanks; a prompt rarely does. */
const RULES = /^(?:(?:[A-Z]\w*|mcp__[\w*-]+|\*)(?:\([^]*\))?(?:[\s,]+(?=\S)|$))+$/;
const TOOL_NAMES = /^(?:[A-Z]\w*(?:[\s,]+(?=\S)|$))+$/;

export const FLAGS = {
  '--print': { aliases: ['-p'], help: 'run the prompt, print the answer, end' },
  '--output-format': { value: 'FORMAT', help: 'text (default), json, stream-json or markdown' },
  '--input-format': { value: 'FORMAT', help: 'text (default), json or stream-json' },
  '--include-partial-messages': { help: 'with stream-json: print replies while they stream' },
  '--replay-user-messages': { help: 'with stream-json both ways: print the prompts too' },
  '--forward-subagent-text': { help: 'with stream-json: print what sub-agents say (always on)' },
  '--json-schema': {
    value: 'JSON|FILE',
    help: 'require an answer in JSON that satisfies this schema',
  },
  '--model': {
    value: 'MODEL',
    help: 'a model ID, an alias (sonnet, opus, haiku), or scripted:FILE',
  },
  '--fallback-model': {
    value: 'MODEL',
    help: 'models to use while the first is overloaded, separated by commas',
  },
  '--permission-mode': {
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
  '--sandbox': { value: 'MODE', help: 'the sandbox for commands: bwrap, external or none' },
  '--settings': { value: 'JSON|FILE', isList: true, help: 'settings as JSON text or as a file' },
  '--setting-sources': {
    value: 'LAYERS',
    help: 'the settings to read: user,project,local (default: all)',
  },
  '--add-dir': {
    value: 'DIR…',
    isList: true,
    isVariadic: true,
    help: 'more folders that agents may work in',
  },
  '--trust': { help: "trust this folder's settings for this run" },
  '--mcp-config': {
    value: 'JSON|FILE…',
    isList: true,
    isVariadic: true,
    help: 'MCP servers as JSON text or as files, in the form of .mcp.json',
  },
  '--strict-mcp-config': { help: 'use only the MCP servers of --mcp-config' },
  '--system-prompt': { value: 'TEXT', help: 'replace the system prompt of the main agent' },
  '--system-prompt-file': { value: 'FILE', help: 'the same, from a file' },
  '--append-system-prompt': {
    value: 'TEXT',
    help: 'append to the system prompt of the main agent',
  },
  '--append-system-prompt-file': { value: 'FILE', help: 'the same, from a file' },
  '--effort': { value: 'LEVEL', help: 'how much to think: low, medium, high, xhigh or max' },
  '--thinking': { value: 'MODE', help: 'whether to think: adaptive, enabled or disabled' },
  '--max-thinking-tokens': { value: 'N', help: 'most tokens to think with; 0 for none' },
  '--betas': {
    value: 'NAMES…',
    isList: true,
    isVariadic: true,
    furtherValues: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/,
    help: 'beta features of the Messages API, sent as anthropic-beta',
  },
  '--tools': {
    value: 'NAMES…',
    isList: true,
    isVariadic: true,
    furtherValues: TOOL_NAMES,
    help: 'the built-in tools to use: "Read,Bash", "" for none, or default',
  },
  '--agents': {
    value: 'JSON',
    help: 'define agents: {"reviewer": {"description": …, "prompt": …}}',
  },
  '--agent': { value: 'NAME', help: 'the main agent of the session' },
  '--max-turns': { value: 'N', help: 'most model requests of the main agent' },
  '--max-concurrent-agents': { value: 'N', help: 'most agents that work at the same time' },
  '--max-budget-usd': {
    value: 'N',
    help: 'most USD that all agents of the session may cost together',
  },
  '--continue': { aliases: ['-c'], help: 'resume the newest session of this folder' },
  '--resume': { value: 'ID', aliases: ['-r'], help: 'resume this session' },
  '--fork-session': { help: 'with --continue or --resume: resume a copy' },
  '--session-id': { value: 'UUID', help: 'the ID of the new session' },
  '--name': { value: 'TITLE', aliases: ['-n'], help: 'a title for the session' },
  '--no-session-persistence': { help: 'delete the session when it ends' },
  '--permission-prompt-tool': {
    value: 'TOOL',
    help: 'who decides: stdio (the client on stdin and stdout) or mcp__server__tool',
  },
  '--dangerously-skip-permissions': { help: 'the same as --permission-mode bypassPermissions' },
  '--allow-dangerously-skip-permissions': {
    help: 'let the session be switched to bypassPermissions later',
  },
  '--bare': {
    help: 'load no hooks, agents, instructions and MCP servers of user and project; tools: Bash, Read, Edit, Write',
  },
  '--safe-mode': { help: 'the same with all tools' },
  '--input': {
    value: 'NAME=VALUE',
    isList: true,
    help: 'an input of the team; may be repeated',
  },
  '--report': {
    value: 'FILE',
    help: 'write the report to FILE: Markdown, or JSON if it ends in .json',
  },
  '--json': { help: 'print JSON' },
  '--follow': { aliases: ['-f'], help: 'follow: print what happens until it ends' },
  '--watch': { help: 'refresh every second' },
  '--reason': { value: 'TEXT', help: 'the reason that waiting agents see' },
  '--all': { help: 'the sessions of every folder' },
  '--limit': {
    value: 'N',
    help: 'at most N sessions; 0: all (default: 20 at a terminal, otherwise all)',
  },
  '--mcp': { help: 'start the MCP servers and list their tools' },
  '--list': { help: 'list the trusted folders' },
  '--remove': { help: 'stop trusting the folder' },
  '--verbose': { help: 'print what happens to stderr' },
  '--version': { aliases: ['-v'], help: 'print the version' },
  '--help': { aliases: ['-h'], help: 'print help; COMMAND --help: of that command' },
} as const satisfies Record<string, Flag>;

const NAMES = Object.keys(FLAGS) as FlagName[]; // the object's own keys

/** The flag that a word of the command line names. */
export function findFlag(word: string): FlagName | undefined {
  return NAMES.find((name) => {
    const { aliases = [] }: Flag = FLAGS[name];
    return name === word || aliases.includes(word);
  });
}

/** The flag that was probably meant. */
export function nearestFlag(word: string): string | undefined {
  const all = NAMES.flatMap((name): readonly string[] => {
    const { aliases = [] }: Flag = FLAGS[name];
    return [name, ...aliases];
  });
  const otherCase = all.find((name) => name.toLowerCase() === word.toLowerCase());
  const longOnes = all.filter((name) => name.startsWith('--'));
  return otherCase ?? nearestName(word, longOnes, 3);
}
