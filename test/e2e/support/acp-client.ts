import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  client,
  methods,
  type AnyMessage,
  type ClientCapabilities,
  type ClientConnection,
  type ClientContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type InitializeResponse,
  type PromptRequest,
  type ReadTextFileRequest,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
  type WriteTextFileRequest,
} from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { PATIENCE_MS, type TroupeProcess } from './troupe-process.js';

type Outcome = RequestPermissionResponse['outcome'];

export type AcpClientOptions = {
  readonly capabilities?: ClientCapabilities;
  /** Answers permission requests; the first option if absent. */
  readonly decide?: (request: RequestPermissionRequest) => Outcome | Promise<Outcome>;
  /** Answers forms; declines them if absent. */
  readonly fillIn?: (form: CreateElicitationRequest) => CreateElicitationResponse;
  readonly readFile?: (request: ReadTextFileRequest) => string | Promise<string>;
  readonly writeFile?: (request: WriteTextFileRequest) => void | Promise<void>;
};

/** An editor: the client of the published SDK, connected to a process of `troupe acp`. */
export interface AcpClient {
  readonly agent: ClientContext;
  readonly connection: ClientConnection;
  readonly initialized: InitializeResponse;
  readonly asked: readonly RequestPermissionRequest[];
  /** Messages of Troupe that the published schema refuses. */
  readonly problems: readonly string[];
  /** The updates of a session so far. */
  updates(sessionId: string): readonly SessionUpdate[];
  /** Resolves with the first update that fits, also one that has come before. */
  update<Kind extends SessionUpdate['sessionUpdate']>(
    sessionId: string,
    kind: Kind,
    fits?: (update: Extract<SessionUpdate, { sessionUpdate: Kind }>) => boolean,
  ): Promise<Extract<SessionUpdate, { sessionUpdate: Kind }>>;
  /** Opens a session. @returns its ID */
  open(cwd: string): Promise<string>;
  /** Sends a prompt. @returns why its turn ended */
  prompt(sessionId: string, text: string): Promise<string>;
}

export async function connectAcp(
  troupe: TroupeProcess,
  { capabilities = {}, decide, fillIn, readFile, writeFile }: AcpClientOptions = {},
): Promise<AcpClient> {
  const told: SessionNotification[] = [];
  const asked: RequestPermissionRequest[] = [];
  const looks = new Set<() => void>();
  const { stream, problems } = checkedStream(troupe);
  const app = client({ name: 'editor' })
    .onNotification(methods.client.session.update, ({ params }) => {
      told.push(params);
      for (const look of looks) look();
    })
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      asked.push(params);
      const first = params.options[0]?.optionId ?? '';
      return { outcome: (await decide?.(params)) ?? { outcome: 'selected', optionId: first } };
    })
    .onRequest(
      methods.client.elicitation.create,
      ({ params }) => fillIn?.(params) ?? { action: 'decline' },
    )
    .onRequest(methods.client.fs.readTextFile, async ({ params }) => ({
      content: (await readFile?.(params)) ?? '',
    }))
    .onRequest(methods.client.fs.writeTextFile, async ({ params }) => {
      await writeFile?.(params);
      return {};
    });
  const connection = app.connect(stream);
  const { agent } = connection;
  const initialized = await agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: capabilities,
  });
  const updates = (sessionId: string): readonly SessionUpdate[] =>
    told.filter((one) => one.sessionId === sessionId).map(({ update }) => update);
  return {
    agent,
    connection,
    initialized,
    asked,
    problems,
    updates,
    update: (sessionId, kind, fits = () => true) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          clearTimeout(timer);
          looks.delete(look);
        };
        const timer = setTimeout(() => {
          stop();
          reject(new Error(`no ${kind}: ${JSON.stringify(updates(sessionId), null, 1)}`));
        }, PATIENCE_MS);
        const look = (): void => {
          const found = updates(sessionId).find(
            (update) => update.sessionUpdate === kind && fits(update as never), // of this kind
          );
          if (found === undefined) return;
          stop();
          resolve(found as never);
        };
        looks.add(look);
        look();
      }),
    async open(cwd) {
      const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
      return sessionId;
    },
    async prompt(sessionId, text) {
      const params: PromptRequest = { sessionId, prompt: [{ type: 'text', text }] };
      const { stopReason } = await agent.request(methods.agent.session.prompt, params);
      return stopReason;
    },
  };
}

const Message = z.looseObject({
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});

/** The messages of a process, each compared with the schema that the SDK ships. */
function checkedStream(troupe: TroupeProcess) {
  const problems: string[] = [];
  const methodsById = new Map<unknown, string>();
  const check = (message: AnyMessage): void => {
    const { id, method, params, result, error } = Message.parse(message);
    const name =
      method === undefined
        ? error === undefined
          ? RESPONSES[methodsById.get(id) ?? '']
          : 'Error'
        : PARAMS[method];
    if (name === undefined) return void problems.push(`unknown: ${JSON.stringify(message)}`);
    const checked = schemaOf(name).safeParse(method === undefined ? (error ?? result) : params);
    if (!checked.success)
      problems.push(`${name}: ${checked.error.message}: ${JSON.stringify(message)}`);
  };
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      troupe.onLine((line) => {
        const message = line as unknown as AnyMessage; // checked here
        check(message);
        controller.enqueue(message);
      });
      void troupe.ended.then(() => controller.close());
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write(message) {
      if ('method' in message && 'id' in message) methodsById.set(message.id, message.method);
      troupe.send(message);
    },
  });
  return { stream: { readable, writable }, problems };
}

const PARAMS: Readonly<Record<string, string>> = {
  'session/update': 'SessionNotification',
  'session/request_permission': 'RequestPermissionRequest',
  'fs/read_text_file': 'ReadTextFileRequest',
  'fs/write_text_file': 'WriteTextFileRequest',
  'elicitation/create': 'CreateElicitationRequest',
  '$/cancel_request': 'CancelRequestNotification',
};
const RESPONSES: Readonly<Record<string, string>> = {
  initialize: 'InitializeResponse',
  authenticate: 'AuthenticateResponse',
  'session/new': 'NewSessionResponse',
  'session/load': 'LoadSessionResponse',
  'session/list': 'ListSessionsResponse',
  'session/resume': 'ResumeSessionResponse',
  'session/close': 'CloseSessionResponse',
  'session/set_mode': 'SetSessionModeResponse',
  'session/set_config_option': 'SetSessionConfigOptionResponse',
  'session/prompt': 'PromptResponse',
};

const schemas = new Map<string, z.ZodType>();
type Definitions = NonNullable<Exclude<Parameters<typeof z.fromJSONSchema>[0], boolean>['$defs']>;
let $defs: Definitions | undefined;

function schemaOf(name: string): z.ZodType {
  const file = createRequire(import.meta.url).resolve(
    '@agentclientprotocol/sdk/schema/v1/schema.json',
  );
  $defs ??= (JSON.parse(readFileSync(file, 'utf8'), withoutUnknown) as { $defs: Definitions })
    .$defs; // the SDK's own file
  const known = schemas.get(name) ?? z.fromJSONSchema({ $ref: `#/$defs/${name}`, $defs });
  schemas.set(name, known);
  return known;
}

/** Zod has no words for these. They only keep the open alternatives of a union apart from the known ones. */
const UNKNOWN_TO_ZOD = ['not', 'unevaluatedProperties'];

function withoutUnknown(key: string, value: unknown): unknown {
  return UNKNOWN_TO_ZOD.includes(key) ? undefined : value;
}
