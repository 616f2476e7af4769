import {
  type DataTypeNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  OperatorNode,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryId,
  RawNode,
  type RootOperationNode,
} from 'kysely';

/** What SQLite and PostgreSQL understand differently, as SQLite does. */
export const likeSqlite: KyselyPlugin = {
  transformQuery: ({ node, queryId }: PluginTransformQueryArgs): RootOperationNode =>
    transformer.transformNode(node, queryId),
  transformResult: async ({ result }: PluginTransformResultArgs) => result,
};

class LikeSqlite extends OperationNodeTransformer {
  /** Texts compare byte by byte, whatever the language of the server. */
  protected override transformDataType(node: DataTypeNode): DataTypeNode {
    // Compiled wherever a type is, though Kysely does not say so.
    return node.dataType === 'text' ? (RawNode.createWithSql('text COLLATE "C"') as never) : node;
  }

  /** LIKE does not mind the case of ASCII letters. */
  protected override transformOperator(node: OperatorNode): OperatorNode {
    return node.operator === 'like' ? OperatorNode.create('ilike') : node;
  }

  protected override transformRaw(node: RawNode, queryId?: QueryId): RawNode {
    const raw = super.transformRaw(node, queryId);
    return { ...raw, sqlFragments: raw.sqlFragments.map((fragment) => fragment.replaceAll(' like ', ' ilike ')) };
  }
}

const transformer = new LikeSqlite();
