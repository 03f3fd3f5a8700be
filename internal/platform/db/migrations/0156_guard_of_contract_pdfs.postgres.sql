-- A guard of contract PDFs that the next step words anew.
DROP TRIGGER template_files_stay ON template_files;
DROP FUNCTION template_files_stay();
