// The client of the MCP conformance suite: Troupe with a model that calls every tool of the server once. If the server
// wants a login, a user follows the advice of the error: `troupe mcp login`, and a browser that agrees.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createOrchestrator,
  createScriptedModel,
  getEmptyToolPermissionContext,
} from '../dist/index.js';

const url = process.argv.at(-1);
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const folder = mkdtempSync(join(tmpdir(), 'troupe-conformance-'));
const env = { ...process.env, HOME: folder, TROUPE_HOME: join(folder, 'home') };
const server = { type: 'http', url, oauth: oauthOf(context) };
/** Most logins of the user, who gives up then. */
const MOST_LOGINS = 3;

/** The client that the scenario has registered; otherwise the document that the suite expects. */
function oauthOf({ client_id: clientId, client_secret: clientSecret, ...others }) {
  if (clientId === undefined)
    return { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' };
  const { private_key_pem: privateKey, signing_algorithm: algorithm } = others;
  const grant = process.env.MCP_CONFORMANCE_SCENARIO?.startsWith('auth/client-credentials')
    ? { grant: 'client_credentials' }
    : {};
  const {
    idp_client_id: idpClient,
    idp_id_token: idToken,
    idp_token_endpoint: tokenEndpoint,
  } = others;
  const access =
    idToken === undefined
      ? {}
      : {
          grant: 'cross_app_access',
          identityProvider: { tokenEndpoint, clientId: idpClient, idToken },
        };
  return { clientId, clientSecret, privateKey, algorithm, ...grant, ...access };
}

/** Arguments for a tool: a number for each number. */
function argumentsFor({ properties = {} }) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [name, type === 'number' ? 2 : 'text']),
  );
}

/** Run a session that calls each tool once. @returns what the server or its tools refused */
async function callTools() {
  const errors = [];
  const model = createScriptedModel(({ messages, tools }) => {
    const results = messages.slice(1).flatMap(({ content }) => content);
    errors.push(...results.filter((one) => one.is_error).map((one) => JSON.stringify(one.content)));
    const ofServer = tools.filter(({ name }) => name.startsWith('mcp__'));
    if (results.length > 0 || ofServer.length === 0) return { text: 'Done.' };
    return {
      tools: ofServer.map((one) => ({ name: one.name, input: argumentsFor(one.input_schema) })),
    };
  });
  const troupe = createOrchestrator({
    cwd: folder,
    home: join(folder, 'home'),
    env,
    model,
    mcpServers: { suite: server },
    onElicitation: () => Promise.resolve({ action: 'accept', content: {} }),
    permissions: {
      ...getEmptyToolPermissionContext(),
      mode: 'bypassPermissions',
      isBypassPermissionsModeAvailable: true,
    },
  });
  try {
    const session = troupe.session({ prompt: 'Call every tool.' });
    await session.outcome;
    return [...session.mcpServers().flatMap(({ problem }) => problem ?? []), ...errors];
  } finally {
    await troupe.close();
  }
}

/** Log in, with a browser that opens the address which the command prints. @returns what went wrong */
async function logIn() {
  const command = join(import.meta.dirname, '../dist/cli/main.js');
  const config = JSON.stringify({ mcpServers: { suite: server } });
  const args = [command, 'mcp', 'login', 'suite', '--mcp-config', config];
  const child = spawn(process.execPath, args, { cwd: folder, env });
  let printed = '';
  let isOpened = false;
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
    const [address] = /^https?:\S+(?=\n)/m.exec(printed) ?? [];
    if (address === undefined || isOpened) return;
    isOpened = true;
    fetch(address).catch((error) => console.error(`The browser: ${error.message}`));
  });
  let problem = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (problem += text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  return code === 0 ? undefined : problem;
}

try {
  let problems = await callTools();
  for (let logins = 0; logins < MOST_LOGINS; logins += 1) {
    if (!problems.some((one) => one.includes('troupe mcp login'))) break;
    const problem = await logIn();
    problems = problem === undefined ? await callTools() : [problem];
  }
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
