import mvdan from 'mvdan-sh';

/**
 * What another parser of shells finds in a command line. The types of mvdan-sh are not published; these are the parts
 * that are looked at.
 */
type OracleNode = {
  readonly Args?: readonly OracleNode[];
  readonly Assigns?: readonly (OracleNode & { readonly Name?: { readonly Value: string } })[];
  readonly Parts?: readonly OracleNode[];
  readonly Value?: string;
  readonly Dollar?: boolean;
  readonly Word?: OracleNode;
  readonly Hdoc?: OracleNode | null;
};

type Syntax = {
  NewParser(): { Parse(source: string, name: string): unknown };
  Walk(node: unknown, visit: (node: OracleNode | null) => boolean): void;
  NodeType(node: unknown): string;
};

export type OracleCommand = {
  readonly assigned: readonly string[];
  /** As a command line of its own, every word quoted where need be. */
  readonly line: string;
};

export type OracleReading = {
  readonly commands: readonly OracleCommand[];
  /** Parts that nobody approves: expansions, functions, tests. */
  readonly others: readonly string[];
};

const { syntax } = mvdan as { readonly syntax: Syntax };
const parser = syntax.NewParser();

/** Types of parts without any harm of their own; `Word` and below are looked at with what they belong to. */
const PLAIN: ReadonlySet<string> = new Set(
  'File Stmt BinaryCmd CallExpr Word Lit SglQuoted DblQuoted Redirect Subshell Block IfClause WhileClause ForClause WordIter CaseClause CaseItem TimeClause Comment Assign'.split(
    ' ',
  ),
);

/** Undefined where the oracle finds an error of syntax. */
export function askOracle(source: string): OracleReading | undefined {
  let file: unknown;
  try {
    file = parser.Parse(source, '');
  } catch {
    return undefined;
  }
  const commands: OracleCommand[] = [];
  const others: string[] = [];
  syntax.Walk(file, (node) => {
    if (node === null) return true;
    const type = syntax.NodeType(node);
    if (!PLAIN.has(type)) others.push(type);
    if (type === 'CallExpr') {
      commands.push({
        assigned: (node.Assigns ?? []).map(({ Name }) => Name?.Value ?? ''),
        line: (node.Args ?? []).map(toWord).join(' '),
      });
    }
    return true;
  });
  return { commands, others };
}

function toWord({ Parts = [] }: OracleNode): string {
  const word = Parts.map((part) => {
    const type = syntax.NodeType(part);
    const value = part.Value ?? '';
    if (type === 'Lit') return toLiteral(value.replace(/\\\n/g, '').replace(/\\(.)/gs, '\0$1'));
    if (type === 'SglQuoted') return part.Dollar === true ? `$'${value}'` : quote(value);
    if (type !== 'DblQuoted') return `\${${type}}`;
    const inner = (part.Parts ?? []).map((one) => one.Value ?? '').join('');
    return quote(inner.replace(/\\\n/g, '').replace(/\\([$`"\\])/g, '$1'));
  }).join('');
  return /^[{}!]$/.test(word) ? quoteAlways(word) : word; // braces, which readers of shells may stumble over
}

/** What was escaped, behind a NUL, is so again; the rest stands as it was, wildcards included. */
function toLiteral(text: string): string {
  return text.replaceAll('\0', '\\');
}

function quote(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : quoteAlways(text);
}

function quoteAlways(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
