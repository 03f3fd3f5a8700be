-- A guard of contract PDFs that the next step words anew.
DROP TRIGGER template_files_stay;
