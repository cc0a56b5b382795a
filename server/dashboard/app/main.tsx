import { render } from "preact";
import { createClient } from "../../../lib/client/index.ts";
const client = createClient({ url: new URL("api", location.href), key: null });
render(<p onClick={() => void client.contacts.list()}>hello</p>, document.body);
