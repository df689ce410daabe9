import { Panel } from "@butler/ui";
import type { Values } from "./values-draft.ts";
import { fieldsOf, originsOf } from "./values-form.ts";

const words = { cluster: "this cluster", catalog: "the catalog" } as const;

/** The values of an add-on and their sources. */
export function ValueOrigins({
  values,
  schema,
}: {
  /** Undefined if the user may not see them. */
  readonly values: Values | undefined;
  readonly schema: Values | undefined;
}) {
  const origins = originsOf(values ?? {}, fieldsOf(schema));
  return (
    <Panel title="Values">
      {origins.length === 0 ? (
        <p className="b-soft">No values set. Catalog and chart defaults apply.</p>
      ) : (
        <table className="c-origins">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Value</th>
              <th scope="col">Source</th>
            </tr>
          </thead>
          <tbody>
            {origins.map(({ path, value, origin }) => (
              <tr key={path}>
                <td className="b-mono">{path}</td>
                <td className="b-mono">{value}</td>
                <td>{words[origin]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
