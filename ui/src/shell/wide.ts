// What stands around screens wherever there is more room than on a phone, and the whole menu behind a phone's last button.
export { Sidebar } from "./sidebar";
export { TabBar, TabList } from "./tab-bar";
