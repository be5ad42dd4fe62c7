// A server built with the server side of the SDK. It runs in the process of a test, or as a program over stdio.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  ResultSchema,
  SubscribeRequestSchema,
  UrlElicitationRequiredError,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const anything = { type: 'object', properties: {} };
const text = (value) => ({ content: [{ type: 'text', text: value }] });

/**
 * A server whose tool `ask` sends requests to the client, one after another, and returns the answers as JSON.
 *
 * @param resources contents by uri; a test may change them
 * @param templates pages of templates; without them the server does not know the request
 */
export function createTestServer({ instructions, resources = new Map(), templates } = {}) {
  const capabilities = {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    prompts: { listChanged: true },
    tasks: { cancel: {}, requests: { tools: { call: {} } } },
  };
  const taskStore = new InMemoryTaskStore();
  const update = taskStore.updateTaskStatus.bind(taskStore);
  taskStore.updateTaskStatus = (id, status, ...rest) => {
    seen.status = status;
    return update(id, status, ...rest);
  };
  const server = new Server(
    { name: 'asking', version: '1.0.0' },
    {
      capabilities,
      instructions,
      taskStore,
    },
  );
  const subscribed = new Set();
  const seen = { lists: 0, reads: 0 };
  let newest;
  const send = (request) => {
    newest = new AbortController();
    const { signal } = newest;
    return server
      .request(request, ResultSchema, { signal })
      .catch(({ code, message }) => ({ code, message }));
  };
  const tools = {
    async ask({ requests }) {
      const answers = [];
      for (const request of requests) answers.push(await send(request));
      return text(JSON.stringify(answers));
    },
    /** Fails: a person has to open a page first. */
    locked({ url }) {
      const page = { mode: 'url', message: 'Sign in.', url, elicitationId: 'e2' };
      throw new UrlElicitationRequiredError([page]);
    },
  };
  /** Runs only as a task; without `fails` and `hangs` it is completed at once. */
  const work = async ({ fails = false, hangs = false }, { taskStore: store }) => {
    const task = await store.createTask({ pollInterval: hangs ? 3_600_000 : 10 });
    seen.task = task.taskId;
    if (fails) await store.storeTaskResult(task.taskId, 'failed', text('no'));
    else if (!hangs) await store.storeTaskResult(task.taskId, 'completed', text('done'));
    return { task };
  };
  Object.assign(tools, { work });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      inputSchema: anything,
      ...(name === 'work' && { execution: { taskSupport: 'required' } }),
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    tools[params.name](params.arguments ?? {}, extra),
  );
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => {
    seen.lists += 1;
    const all = [...resources].map(([uri, { name = uri, mimeType, description }]) => ({
      uri,
      name,
      mimeType,
      description,
    }));
    const from = Number(params?.cursor ?? 0);
    const nextCursor = from + 1 < all.length ? String(from + 1) : undefined;
    return { resources: all.slice(from, from + 1), nextCursor };
  });
  if (templates !== undefined)
    server.setRequestHandler(ListResourceTemplatesRequestSchema, ({ params }) => {
      const page = Number(params?.cursor ?? 0);
      const nextCursor = page + 1 < templates.length ? String(page + 1) : undefined;
      return { resourceTemplates: templates[page], nextCursor };
    });
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    seen.reads += 1;
    const resource = resources.get(uri);
    if (resource === undefined) throw new Error(`there is no ${uri}`);
    const { mimeType, text: words, blob } = resource;
    return { contents: [{ uri, mimeType, ...(blob === undefined ? { text: words } : { blob }) }] };
  });
  server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }) => {
    subscribed.add(uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: [
      {
        name: 'greet',
        description: 'Greets somebody.',
        arguments: [{ name: 'who', required: true }, { name: 'how' }],
      },
    ],
  }));
  server.setRequestHandler(
    GetPromptRequestSchema,
    ({ params: { arguments: { who, how } = {} } }) => ({
      messages: [
        { role: 'user', content: { type: 'text', text: `Greet ${who} ${how ?? 'somehow'}.` } },
      ],
    }),
  );
  const cancel = () => newest.abort('not needed any more');
  return { server, send, cancel, resources, subscribed, seen };
}

if (process.argv[1] === import.meta.filename) {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const resources = new Map([['note://1', { name: 'A note', text: 'Buy milk.' }]]);
  const { server } = createTestServer({ instructions: 'Ask first.', resources });
  await server.connect(new StdioServerTransport());
}
