// TypeScript learns the tag here. A page that imports the module itself does not need this file.
import type {} from "whodid/browser";
