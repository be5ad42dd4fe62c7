// Writes the pages of docs/reference/ that are made from the source: cli.md, hooks.md, tools.md and settings.md.
// `--check` writes nothing and exits with 1 if a page is not what would be written.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { toolPages } from './tool-pages.mjs';

const root = new URL('..', import.meta.url);
const module = (path) => import(new URL(`.build/modules/${path}.js`, root).href);

const [
  { flagOf, RUN_FLAGS_BY_TOPIC },
  { COMMAND_NAMES, commandOf },
  { usagesOf },
  { flagHelpsOf },
] = await Promise.all([
  module('cli/arguments/flags'),
  module('cli/command-table/commands'),
  module('cli/command-table/usage'),
  module('cli/command-table/help-text'),
]);
const { getAllBaseTools } = await module('tools/pool/base-tools');
const { settingsJsonSchema } = await module('settings/schema/policy-settings');
const { toModelTools } = await module('tools/pool/pool');
const { parseToolInput } = await module('api/tools/parse-tool-input');
const { BUILT_IN_AGENTS } = await module('context/built-in-agents');

const { factsOfEvent, HOOK_EVENTS } = await module('settings/schema/hook-events');
const { HOOK_EVENT_TEXTS } = await module('settings/schema/hook-event-texts');
const { specificFields } = await module('extensions/hooks/specific-output');

const MADE =
  'Made from the source by `npm run docs:reference`; a test fails if this page is stale.';

for (const [name, text] of Object.entries({
  cli: cliPage(),
  hooks: hooksPage(),
  settings: settingsPage(),
  ...toolPages({
    tools: getAllBaseTools(),
    toModelTools,
    parseToolInput,
    agents: BUILT_IN_AGENTS,
    made: MADE,
    table,
    code,
  }),
})) {
  const file = new URL(`docs/reference/${name}.md`, root);
  const page = await format(text, { ...(await resolveConfig(file)), parser: 'markdown' });
  const isFresh = existsSync(file) && readFileSync(file, 'utf8') === page;
  if (!process.argv.includes('--check')) writeFileSync(file, page);
  else if (!isFresh) {
    process.stderr.write(`docs/reference/${name}.md is stale. Run: npm run docs:reference\n`);
    process.exitCode = 1;
  }
}

function cliPage() {
  const topics = RUN_FLAGS_BY_TOPIC.map(([title, names]) => {
    const rows = names.map((name) => flagRow([name, flagOf(name).help]));
    return `### ${title}\n\n${table(['flag', 'does'], rows)}`;
  });
  return `# The command line

${MADE} \`troupe --help\` and \`troupe help COMMAND\` print the same.

## Runs

\`\`\`sh
troupe [PROMPT] [flags]       # a session at the terminal
troupe -p PROMPT [flags]      # one prompt; the answer goes to stdout
troupe --input-format stream-json --output-format stream-json [flags]   # a session over stdin and stdout
\`\`\`

${topics.join('\n\n')}

## Commands

${COMMAND_NAMES.map(commandSection).join('\n\n')}
`;
}

function commandSection(name) {
  const { summary, details } = commandOf(name);
  const flags = flagHelpsOf(name);
  return [
    `### troupe ${name}`,
    `${summary[0].toUpperCase()}${summary.slice(1)}.`,
    `\`\`\`sh\n${usagesOf(name).join('\n')}\n\`\`\``,
    ...(details === undefined ? [] : [`\`\`\`text\n${details}\n\`\`\``]),
    ...(flags.length === 0 ? [] : [table(['flag', 'does'], flags.map(flagRow))]),
  ].join('\n\n');
}

function flagRow([name, help]) {
  const { aliases = [], value } = flagOf(name);
  const names = [...aliases, name].map((one) => (value === undefined ? one : `${one} ${value}`));
  return [names.map(code).join(', '), help];
}

function hooksPage() {
  // a test of the built command that has hooks of the event in settings, with its name
  const cases = readdirSync(new URL('test/e2e', root))
    .filter((name) => name.startsWith('hook') && name.endsWith('.test.ts'))
    .flatMap((file) => {
      const [, ...parts] = readFileSync(new URL(`test/e2e/${file}`, root), 'utf8').split(
        /^ *it\(\s*(?=')/m,
      );
      return parts.map((text) => ({ file, text, name: /^'(.*?)',/.exec(text)?.[1] ?? '' }));
    });
  const testOf = (event) => {
    const uses = new RegExp(`[ \\n]${event}: (?:\\[|noting)|^    '${event}',$`, 'm');
    const found = cases.find(({ text }) => uses.test(text));
    return found === undefined
      ? ''
      : `[${found.file}](../../test/e2e/${found.file}): ${found.name}`;
  };
  const names = (list) => list.map(code).join(', ');
  const sections = HOOK_EVENTS.map((event) => {
    const { when, fields = [], blocks, stops } = HOOK_EVENT_TEXTS[event];
    const { matches, readsText, setsEnv } = factsOfEvent(event);
    const rows = [
      ['runs', when],
      ['matcher', matches === undefined ? '' : code(matches)],
      ['input', names(fields)],
      ['exit code 2, `decision: "block"`', blocks ?? ''],
      ['`continue: false`', stops ?? ''],
      ['`hookSpecificOutput`', names(specificFields(event))],
      ['other text on stdout', readsText === true ? 'is for the model' : ''],
      ['`CLAUDE_ENV_FILE`', setsEnv === true ? 'yes' : ''],
      ['test', testOf(event)],
    ].filter(([, value]) => value !== '');
    return `## ${event}\n\n${table(['part', 'is'], rows)}`;
  });
  return [
    '# Hook events',
    `${MADE} [Hooks](../use/hooks.md) says how they are written.`,
    'Each input also has the fields of every event. An output that an event does not list has no effect after it, and stderr says so.',
    ...sections,
    '',
  ].join('\n\n');
}

function settingsPage() {
  const rows = [];
  const add = (schema, prefix) => {
    for (const [name, one] of Object.entries(schema.properties ?? {})) {
      if (name === '$schema') continue;
      rows.push([code(prefix + name), typeOf(one), one.description ?? '']);
      add(one, `${prefix}${name}.`);
    }
  };
  add(settingsJsonSchema(), '');
  return `# Settings\n\n${MADE} [Settings](../use/settings.md) says which files there are and which one counts.\n\n${table(['key', 'type', 'does'], rows)}\n`;
}

function typeOf(schema) {
  if (schema.enum !== undefined) return schema.enum.map((one) => code(String(one))).join(', ');
  if (schema.const !== undefined) return code(String(schema.const));
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  return schema.type ?? 'any';
}

function table(head, rows) {
  const line = (cells) =>
    `| ${cells
      .map((cell) =>
        String(cell)
          .replaceAll('|', '\\|')
          .replaceAll(/\s*\n\s*/g, ' '),
      )
      .join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function code(text) {
  return `\`${text}\``;
}
